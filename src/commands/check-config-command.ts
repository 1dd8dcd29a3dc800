import { Command, Option } from 'commander'
import type { CheckConfigFlags } from './check-config/run-check-config.ts'
import type { CommandContext } from './command.ts'
import { integerValue } from './option-values.ts'

export function checkConfigCommand({ exit }: CommandContext): Command {
  return new Command('check-config')
    .argument('<file>', "an agent's configuration, YAML")
    .addOption(
      new Option(
        '-n, --nodes <number>',
        'also: what a fleet of that many nodes would do, 1 to 100000',
      ).argParser(integerValue(1, 100_000)),
    )
    .addOption(
      new Option('--zones <number>', 'zones that the fleet is spread over, 1 to 100')
        .default(3)
        .argParser(integerValue(1, 100)),
    )
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', HELP)
    .action(async (file: string, flags: CheckConfigFlags) => {
      const { runCheckConfig } = await import('./check-config/run-check-config.ts')
      exit(await runCheckConfig(file, flags))
    })
}

const HELP = `
Reports all problems at once on stderr, each with its path and value. Otherwise
says whom the agent would probe, how often, and how many attempts per second
that makes.

Exit codes: 0 for a valid file, 2 for one with problems.

Examples:
  pathmeter check-config pathmeter.yaml
  pathmeter check-config pathmeter.yaml --nodes 200 --zones 3
`
