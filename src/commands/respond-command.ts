import { Command, Option } from 'commander'
import type { CommandContext } from './command.ts'
import type { RespondFlags } from './respond/respond-config.ts'

export function respondCommand({ exit }: CommandContext): Command {
  return new Command('respond')
    .addOption(
      new Option(
        '-c, --config <file>',
        "an agent's configuration: who this is, respond, drain and log count",
      ).conflicts(['http', 'tcp', 'node', 'zone', 'prefix', 'drain']),
    )
    .option('--http <address>', 'where HTTP probes are answered (default: ":9701")')
    .option('--tcp <address>', 'where TCP probes are answered (default: ":9703")')
    .option('--node <name>', 'name of this node (default: PATHMETER_NODE, else the host name)')
    .option('--zone <zone>', 'zone of this node (default: PATHMETER_ZONE, else none)')
    .option('--prefix <path>', 'path under which HTTP is answered too (default: "/pathmeter")')
    .option('--drain <duration>', 'how long an end is announced, at most 10m (default: "15s")')
    .addHelpText('after', HELP)
    .action(async (flags: RespondFlags) => {
      const { runRespond } = await import('./respond/run-respond.ts')
      exit(await runRespond(flags))
    })
}

const HELP = `
Answers the probes of agents and probes nothing itself. Runs until SIGTERM or
SIGINT, then tells everyone who asks that it is about to go, for the time of
--drain, and exits 0; a second signal ends it at once. The environment goes
before a file in who this is (PATHMETER_NODE, PATHMETER_ZONE), and --node and
--zone before both. The log is JSON on stdout.

Exit codes: 0 after a clean end, 1 when it could not start, 2 for bad usage or
configuration.

Examples:
  pathmeter respond --node onprem-1 --zone dc1
  pathmeter respond --http 127.0.0.1:9701 --tcp [::1]:9703 --drain 0s
  pathmeter respond --config /etc/pathmeter.yaml
`
