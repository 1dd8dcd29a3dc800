import { Command } from 'commander'
import type { CommandContext } from './command.ts'

export function agentCommand({ exit }: CommandContext): Command {
  return new Command('agent')
    .requiredOption('-c, --config <file>', 'configuration, YAML')
    .addHelpText('after', HELP)
    .action(async (options: { config: string }) => {
      const { runAgent } = await import('./agent.ts')
      exit(await runAgent(options))
    })
}

const HELP = `
Runs until SIGTERM or SIGINT, announces its end for the configured drain (15s),
and exits 0; a second signal ends it at once. SIGHUP, POST /-/reload and a
changed file reload the configuration. Who this is, the environment says before
the file: PATHMETER_NODE, PATHMETER_ZONE, PATHMETER_POD_IP, PATHMETER_NAMESPACE.
The log is JSON on stdout.

Exit codes: 0 after a clean end, 1 when it could not start, 2 for a
configuration that cannot be used.

Examples:
  pathmeter agent --config /etc/pathmeter.yaml
  PATHMETER_NODE=n1 PATHMETER_ZONE=zone-a pathmeter agent --config n1.yaml
`
