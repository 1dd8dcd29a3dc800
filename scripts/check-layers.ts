import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise } from './cruise.ts'
import { layerOf } from './layers.ts'

/** Fewer files than this is not this product: the reader of TypeScript is broken. */
const fewestModules = 60

const root = dirname(import.meta.dirname)
const planted = {
  'src/model/planted.ts': "import type { Planted } from '../net/planted.ts'\nexport type Again = Planted\n",
  'src/net/planted.ts': 'export interface Planted {\n  readonly planted: true\n}\n',
}

const problems = [...(await problemsOfTree()), ...(await problemsOfCheck())]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

async function problemsOfTree(): Promise<string[]> {
  const { violations, modules } = await cruise(root, ['src', 'scripts', 'bench', 'test'])
  const sources = (await Array.fromAsync(glob('src/**/*.ts', { cwd: root }))).sort()
  const unread = sources.filter((source) => !modules.includes(source))
  const homeless = sources.filter((source) => layerOf(source) === undefined)
  console.error(`Layers: ${modules.length} modules read, ${violations.length} forbidden imports`)
  return [
    ...violations,
    ...unread.map((source) => `Cannot hold "${source}" against the table: its imports were not read`),
    ...homeless.map((source) => `Cannot place "${source}": scripts/layers.ts has no layer for it`),
    ...(modules.length < fewestModules
      ? [`Cannot trust the check: expected at least ${fewestModules} modules, read ${modules.length}`]
      : []),
  ]
}

/** A check that cannot fail is none: with a TypeScript it does not know, dependency-cruiser reads nothing and is content. */
async function problemsOfCheck(): Promise<string[]> {
  const base = await mkdtemp(join(tmpdir(), 'pathmeter-layers-'))
  try {
    for (const [path, text] of Object.entries(planted)) {
      await mkdir(dirname(join(base, path)), { recursive: true })
      await writeFile(join(base, path), text)
    }
    const { violations } = await cruise(base, ['src'])
    const expected = 'model: layers: src/model/planted.ts -> src/net/planted.ts'
    return violations.includes(expected)
      ? []
      : [`Cannot trust the check: it does not find the planted import "${expected}"`]
  } finally {
    await rm(base, { recursive: true })
  }
}
