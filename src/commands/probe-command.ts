import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { kindOptions } from '../kinds/options.ts'
import type { KindName } from '../model/facts.ts'
import { nearestNames } from '../model/nearest-names.ts'
import type { CommandContext } from './command.ts'
import { durationValue, integerValue } from './option-values.ts'
import type { ProbeFlags } from './probe/plan-probe.ts'

const KINDS = Object.keys(kindOptions)

export function probeCommand({ exit }: CommandContext): Command {
  return new Command('probe')
    .addArgument(new Argument('<kind>', KINDS.join(' or ')).argParser(kindValue))
    .argument('<target>', targets())
    .addOption(
      new Option('-c, --count <number>', 'attempts, 1 to 100000')
        .default(5)
        .argParser(integerValue(1, 100_000)),
    )
    .addOption(
      new Option('-i, --interval <duration>', 'from one start to the next, 100ms to 1h')
        .default(1, '1s')
        .argParser(durationValue('100ms', '1h')),
    )
    .addOption(
      new Option(
        '-l, --limit <duration>',
        "deadline of each attempt, 10ms to 60s (default: the agent's, 8s)",
      ).argParser(durationValue('10ms', '60s')),
    )
    .addOption(new Option('--new', 'a new connection for each attempt (default)').conflicts('kept'))
    .option('--kept', 'one connection, kept between attempts')
    .option('--responder', 'a responder of ours must answer, and says who it is')
    .addOption(
      new Option('--expect <node>', 'the responder that must answer, by its name').implies({
        responder: true,
      }),
    )
    .addOption(new Option('--family <family>', 'address family of a name that has both').choices(['4', '6']))
    .option('--json', 'one JSON document at the end, and nothing else on stdout')
    .addHelpText('after', HELP)
    .action(async (kind: KindName, target: string, flags: ProbeFlags) => {
      const { runProbe } = await import('./probe/run-probe.ts')
      exit(await runProbe(kind, target, flags))
    })
}

function kindValue(text: string): string {
  if (KINDS.includes(text)) return text
  const [nearest] = nearestNames(text, KINDS, 1)
  const hint = nearest === undefined ? `Must be ${KINDS.join(' or ')}.` : `Did you mean ${nearest}?`
  throw new InvalidArgumentError(hint)
}

function targets(): string {
  return Object.entries(kindOptions)
    .map(([kind, { targetSyntax }]) => `${kind}: ${targetSyntax}`)
    .join('; ')
}

const HELP = `
A name is resolved once, before the clock. Times are in milliseconds: TOTAL, and
the phases that add up to it, by the user clock; RTT (SYN to SYN-ACK) by the
kernel's; RESIDENCE as the responder counts it. Without --responder, tcp sends
no byte and http takes any 2xx or 3xx. Ctrl-C ends early, with the summary of
what there is. Columns that do not fit the terminal are in --json.

Exit codes: 0 when every attempt was fine, 1 when one failed or none was made,
2 for bad usage.

Examples:
  pathmeter probe tcp 10.8.0.5:5432
  pathmeter probe tcp [fd00::5]:9703 --expect node-b --count 100
  pathmeter probe http https://models.internal/healthz --kept
  pathmeter probe http 10.0.0.2:9701 --responder --json
`
