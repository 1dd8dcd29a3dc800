import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PATHMETER, runCli } from '../support/run-cli.ts'
import { createTempDir } from '../support/temp-dir.ts'

// Processes that start while others do.
vi.setConfig({ testTimeout: 60_000 })

const COMMANDS = ['agent', 'probe', 'respond', 'check-config', 'demo']

describe('help', () => {
  test('lists the commands, on stdout, without colour in a pipe', async () => {
    const { code, stdout, stderr } = await runCli(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(stdout).not.toContain('\x1b')
  })

  test.each(COMMANDS)('of %s has examples and exit codes, in 80 columns', async (command) => {
    const { code, stdout, stderr } = await runCli([command, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: pathmeter ${command} `)
    expect(stdout).toContain('\nExit codes: ')
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  .*pathmeter ${command}.*\\n)+`))
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test('is what `help COMMAND` prints too', async () => {
    const [byCommand, byOption] = await Promise.all([runCli(['help', 'probe']), runCli(['probe', '--help'])])
    expect(byCommand).toEqual(byOption)
  })

  test('goes to stderr when no command is given, which is bad usage', async () => {
    const { code, stdout, stderr } = await runCli([])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Usage: pathmeter')
  })

  test('--version prints the version', async () => {
    expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  })
})

describe('bad usage', () => {
  test.each([
    [['prob'], "Unknown command 'prob'\n(Did you mean probe?)\n"],
    [['demo', '--fro', '1s'], "Unknown option '--fro'\n(Did you mean --for?)\n"],
    [
      ['probe', 'tpc', 'a:1'],
      "Command-argument value 'tpc' is invalid for argument 'kind'. Did you mean tcp?\n",
    ],
    [['probe', 'tcp'], "Missing required argument 'target'\n"],
    [
      ['probe', 'tcp', 'a'],
      'Cannot probe "a" by tcp: must be HOST:PORT, such as 10.8.0.5:5432 or [fd00::5]:5432\n',
    ],
    [['probe', 'http', 'a:1', '--new', '--kept'], "Option '--new' cannot be used with option '--kept'\n"],
    [
      ['probe', 'tcp', 'a:1', '--interval', '5'],
      "Option '-i, --interval <duration>' argument '5' is invalid. Must be a duration such as 250ms, 5s or 2m.\n",
    ],
    [['agent'], "Required option '-c, --config <file>' not specified\n"],
    [
      ['agent', '--config', '/nowhere.yaml'],
      '/nowhere.yaml has 1 problem\nCannot parse /nowhere.yaml: there is no such file\n',
    ],
    [
      ['respond', '--config', 'a.yaml', '--http', ':1'],
      "Option '-c, --config <file>' cannot be used with option '--http <address>'\n",
    ],
    [
      ['respond', '--tcp', 'here'],
      'The command line has 1 problem\nCannot parse "--tcp": must be an address to listen on such as :9700, 127.0.0.1:9700 or [::1]:9700, got "here"\n',
    ],
  ])('exits with 2 and a sentence: %j', async (args, stderr) => {
    expect(await runCli(args)).toEqual({ code: 2, stdout: '', stderr })
  })
})

describe('check-config', () => {
  const PEERS = 'peers: { static: [{ node: n2, zone: zone-b, address: 127.0.0.2 }] }\n'

  async function check(text: string, ...options: readonly string[]) {
    await using dir = await createTempDir()
    const file = join(dir.path, 'pathmeter.yaml')
    await writeFile(file, text)
    const result = await runCli(['check-config', file, ...options], { PATHMETER_NODE: 'n1' })
    const nameless = (output: string) => output.replaceAll(file, 'FILE')
    return { ...result, stdout: nameless(result.stdout), stderr: nameless(result.stderr) }
  }

  test('exits with 0 for a valid file and says what it comes to', async () => {
    const { code, stdout, stderr } = await check(`version: 1\n${PEERS}`, '--nodes', '200')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^FILE is valid$/m)
    expect(stdout).toContain('peers  1 listed, 1 probed from here: n2')
    expect(stdout).toContain('A fleet of 200 nodes in 3 zones')
  })

  test('exits with 2 and reports every problem on stderr, in the document too', async () => {
    const { code, stdout, stderr } = await check(
      `version: 1\n${PEERS}prob: {}\nweb: { listen: here }\n`,
      '--json',
    )
    expect(code).toBe(2)
    expect(stderr).toContain(
      'FILE has 2 problems\nCannot parse "prob": is no known key, did you mean "probes"?\n',
    )
    expect(JSON.parse(stdout)).toMatchObject({
      apiVersion: 'v1',
      valid: false,
      problems: [{ path: 'prob' }, { path: 'web.listen' }],
    })
  })

  test('refuses a rate above the cap, as an agent does', async () => {
    const peers = Array.from(
      { length: 12 },
      (_, i) => `{ node: p${i}, zone: z${i}, address: 127.0.1.${i + 1} }`,
    )
    const text = `version: 1\npeers: { static: [${peers.join(', ')}] }\nprobes: { tcp: { every: 100ms } }\n`
    const { code, stdout, stderr } = await check(text)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('Cannot parse "probes": must start at most 100 attempts per second in all, got ')
  })
})

test('output that nobody reads any more ends the program quietly', async () => {
  const child = spawn(PATHMETER, ['--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})
