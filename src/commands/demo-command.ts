import { Command, Option } from 'commander'
import type { DemoFlags } from '../demo/run-demo.ts'
import type { CommandContext } from './command.ts'
import { durationValue } from './option-values.ts'

export function demoCommand({ exit }: CommandContext): Command {
  return new Command('demo')
    .addOption(
      new Option(
        '--for <duration>',
        'end by itself, 1s to 1h after all are ready (default: at Ctrl-C)',
      ).argParser(durationValue('1s', '1h')),
    )
    .option('--json', 'one JSON document at the end, and nothing else on stdout')
    .addHelpText('after', HELP)
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('../demo/run-demo.ts')
      exit(await runDemo(flags))
    })
}

const HELP = `
Four processes on loopback: agents node-a, node-b and node-c in a zone each, and
onprem-1, which only answers. They take free ports, keep their files in a
temporary directory, and leave nothing behind however the demo ends. Probes are
more frequent than an agent's defaults; the intervals are printed.

Exit codes: 0 when every path was measured by every kind without a failure, or
at Ctrl-C; 1 otherwise; 2 for bad usage.

Examples:
  pathmeter demo
  pathmeter demo --for 20s --json
`
