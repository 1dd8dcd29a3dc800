import Type from 'typebox'
import { ACCEPT_WINDOW } from '../../model/classify.ts'
import { parseHostPort } from '../../model/host-port.ts'
import { Duration } from '../../model/schema.ts'
import { defineOptions, overlapOf } from '../define-options.ts'

export interface TcpCheckOptions {
  /** Exchange one echo, as with a responder. Otherwise no byte of payload, as with whatever is not ours. */
  readonly echo: boolean
}

const options: TcpCheckOptions = { echo: true }

export const tcpOptions = defineOptions({
  protocol: 'tcp',
  schema: Type.Object(
    {
      every: Duration({ default: '1s', minimum: '100ms', description: 'Time between two attempts' }),
      // 5 s, 7 s and other whole numbers sit on a step of the SYN retransmission schedule.
      limit: Duration({
        default: '8s',
        minimum: '100ms',
        maximum: '60s',
        description: 'Deadline of one attempt, connect and echo together',
      }),
    },
    { additionalProperties: false, default: {}, description: 'New TCP connection, one echo, reset' },
  ),
  variants: ({ every, limit }) => [
    { connection: 'new', every, limit, overlap: overlapOf(limit, every), options },
  ],
  targetSyntax: 'HOST:PORT',
  parseTarget(text, { responder }) {
    const parsed = parseHostPort(text)
    if (parsed === undefined) return { problem: 'must be HOST:PORT, such as 10.8.0.5:5432 or [fd00::5]:5432' }
    return {
      ...parsed,
      options: { echo: responder },
      ...(responder
        ? { does: 'connects and exchanges one echo', phases: ['connect', 'first_byte', 'transfer'] }
        : { does: `connects, sends nothing and stays for ${ACCEPT_WINDOW * 1000}ms`, phases: ['connect'] }),
    }
  },
})
