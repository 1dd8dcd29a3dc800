import { type Logger, pino } from 'pino'

/** The log of a daemon: JSON lines on stdout, times in RFC 3339. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}
