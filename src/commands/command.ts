import type { Command } from 'commander'

/** What a command gets from the program besides its arguments. */
export interface CommandContext {
  /** Ends the program with this exit code, once all that was printed is out. */
  exit(code: number): void
}

/** Makes a command with its options, help and action. */
export type CreateCommand = (context: CommandContext) => Command
