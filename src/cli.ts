import { styleText } from 'node:util'
import { Command, CommanderError } from 'commander'
import type { CreateCommand } from './commands/command.ts'
import { VERSION } from './version.ts'

interface Entry {
  readonly summary: string
  load(): Promise<CreateCommand>
}

/** What each command needs is loaded when it is asked for, so that help is quick. */
const commands: Readonly<Record<string, Entry>> = {
  agent: {
    summary: 'run the daemon: probe, answer, serve metrics and pages',
    load: async () => (await import('./commands/agent-command.ts')).agentCommand,
  },
  probe: {
    summary: 'probe a target from here, a few times',
    load: async () => (await import('./commands/probe-command.ts')).probeCommand,
  },
  respond: {
    summary: 'run only the other end of probes, as on an on-prem machine',
    load: async () => (await import('./commands/respond-command.ts')).respondCommand,
  },
  'check-config': {
    summary: "check an agent's configuration, and say what it would do",
    load: async () => (await import('./commands/check-config-command.ts')).checkConfigCommand,
  },
  demo: {
    summary: 'run a mesh of three agents in three zones on this machine',
    load: async () => (await import('./commands/demo-command.ts')).demoCommand,
  },
}

const HELP = `
Exit codes: 0 fine, 1 the thing measured failed, 2 bad usage or configuration.

Examples:
  pathmeter demo
  pathmeter probe tcp 10.8.0.5:5432
  pathmeter probe http https://models.internal/healthz --count 20
  pathmeter check-config pathmeter.yaml --nodes 200
  pathmeter agent --config pathmeter.yaml
`

/** @returns the exit code: 0 fine, 1 the thing measured failed, 2 bad usage or configuration */
async function run(args: readonly string[]): Promise<number> {
  let code = 0
  const exit = (given: number) => {
    code = given
  }
  try {
    const program = await createProgram(args, exit)
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : 2
  }
}

async function createProgram(args: readonly string[], exit: (code: number) => void): Promise<Command> {
  const program = prepare(new Command('pathmeter'))
    .description('Measures the network paths between nodes, zones and on-prem, and says where it hurts.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', HELP)
  for (const [name, { summary, load }] of Object.entries(commands)) {
    // Commands that are not named among the arguments only have to show in the list.
    const command = args.includes(name) ? (await load())({ exit }) : new Command(name)
    program.addCommand(prepare(command).summary(summary).description(sentence(summary)))
  }
  return program
}

function prepare(command: Command): Command {
  return command
    .exitOverride()
    .helpOption('-h, --help', 'print this help')
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .configureOutput({
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}

/** Whoever reads our output may stop to, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

/** How long what is still open may keep the process after its command has ended. */
const LINGER_MS = 1000

// Not process.exit at once: it waits for compiler threads that may wait for a collection, which then never comes.
process.exitCode = await run(process.argv.slice(2))
setTimeout(() => process.exit(), LINGER_MS).unref()
