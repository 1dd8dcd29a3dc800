import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cruise } from '../../scripts/cruise.ts'

let base: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'pathmeter-layers-'))
  await symlink(join(import.meta.dirname, '../../node_modules'), join(base, 'node_modules'))
})

afterEach(async () => {
  await rm(base, { recursive: true })
})

/** What the check says of one file that imports one module; a module of ours is created beside it. */
async function importing(from: string, statement: string, to?: string): Promise<readonly string[]> {
  const files = {
    ...(to && { [to]: 'export interface Planted {\n  readonly planted: true\n}\n' }),
    [from]: `${statement}\n`,
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(base, path)), { recursive: true })
    await writeFile(join(base, path), text)
  }
  return (await cruise(base, ['src'])).violations
}

describe('layers: an import against the table is found', () => {
  test.each([
    ['src/model/a.ts', "import '../net/b.ts'", 'src/net/b.ts', 'model: layers'],
    ['src/wire/a.ts', "import '../clients/b.ts'", 'src/clients/b.ts', 'wire: layers'],
    ['src/net/a.ts', "import '../kinds/kind.ts'", 'src/kinds/kind.ts', 'net: layers'],
    ['src/plan/a.ts', "import '../kinds/tcp/probe.ts'", 'src/kinds/tcp/probe.ts', 'plan: layers'],
    ['src/plan/a.ts', "import '../config/load.ts'", 'src/config/load.ts', 'plan: layers'],
    ['src/config/a.ts', "import '../kinds/index.ts'", 'src/kinds/index.ts', 'config: layers'],
    ['src/telemetry/a.ts', "import '../kinds/tcp/facts.ts'", 'src/kinds/tcp/facts.ts', 'telemetry: layers'],
    ['src/judge/a.ts', "import '../telemetry/b.ts'", 'src/telemetry/b.ts', 'judge: layers'],
    ['src/run/a.ts', "import '../telemetry/b.ts'", 'src/telemetry/b.ts', 'run: layers'],
    ['src/respond/a.ts', "import '../clients/b.ts'", 'src/clients/b.ts', 'respond: layers'],
    ['src/web/a.ts', "import '../telemetry/b.ts'", 'src/telemetry/b.ts', 'web: layers'],
    ['src/discovery/a.ts', "import '../config/load.ts'", 'src/config/load.ts', 'discovery: layers'],
    ['src/kinds/kind.ts', "import './tcp/probe.ts'", 'src/kinds/tcp/probe.ts', 'kind contract: layers'],
    ['src/kinds/options.ts', "import './tcp/facts.ts'", 'src/kinds/tcp/facts.ts', 'kind options: layers'],
    ['src/kinds/http/a.ts', "import '../tcp/probe.ts'", 'src/kinds/tcp/probe.ts', 'kind: other kind'],
    ['src/kinds/http/a.ts', "import '../index.ts'", 'src/kinds/index.ts', 'kind: layers'],
    ['src/web/a.ts', "import '../agent.ts'", 'src/agent.ts', 'web: layers'],
    ['src/agent.ts', "import '../test/b.ts'", 'test/b.ts', 'src alone'],
    ['src/model/a.ts', "import type { Planted } from '../net/b.ts'", 'src/net/b.ts', 'model: layers'],
    ['src/model/a.ts', "export const planted = import('../net/b.ts')", 'src/net/b.ts', 'model: layers'],
    ['src/net/a.ts', "export * from '../run/b.ts'", 'src/run/b.ts', 'net: layers'],
  ])('%s: %s', async (from, statement, to, rule) => {
    expect(await importing(from, statement, to)).toEqual([`${rule}: ${from} -> ${to}`])
  })

  test.each([
    ['src/run/a.ts', "import 'fastify'", 'run: packages'],
    ['src/model/a.ts', "import 'prom-client'", 'model: packages'],
    ['src/clients/a.ts', "import 'koffi'", 'clients: packages'],
    ['src/web/a.ts', "import 'vitest'", 'web: packages'],
    ['src/plan/a.ts', "import 'node:fs'", 'plan: pure'],
    ['src/wire/a.ts', "import 'node:timers/promises'", 'wire: pure'],
    ['src/web/a.ts', "import './missing.ts'", 'no unresolved import'],
    ['src/web/a.ts', "import './a.ts'", 'no cycle'],
  ])('%s: %s', async (from, statement, rule) => {
    expect(await importing(from, statement)).toEqual([expect.stringMatching(`^${rule}: ${from} -> `)])
  })
})

describe('layers: an import by the table is allowed', () => {
  test.each([
    ['src/agent.ts', "import './web/b.ts'", 'src/web/b.ts'],
    ['src/commands/a.ts', "import '../agent.ts'", 'src/agent.ts'],
    ['src/kinds/http/a.ts', "import '../../clients/b.ts'", 'src/clients/b.ts'],
    ['src/kinds/http/a.ts', "import '../kind.ts'", 'src/kinds/kind.ts'],
    ['src/kinds/http/probe.ts', "import './facts.ts'", 'src/kinds/http/facts.ts'],
    ['src/kinds/index.ts', "import './tcp/probe.ts'", 'src/kinds/tcp/probe.ts'],
    ['src/plan/a.ts', "import '../kinds/tcp/options.ts'", 'src/kinds/tcp/options.ts'],
    ['src/plan/a.ts', "import type { Planted } from '../config/b.ts'", 'src/config/b.ts'],
    ['src/plan/a.ts', "import 'node:net'", undefined],
    ['src/discovery/a.ts', "import type { Planted } from '../config/b.ts'", 'src/config/b.ts'],
    ['src/net/a.ts', "export const native = import('koffi')", undefined],
    ['src/web/a.ts', "import 'fastify'", undefined],
  ])('%s: %s', async (from, statement, to) => {
    expect(await importing(from, statement, to)).toEqual([])
  })
})
