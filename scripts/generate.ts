import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reloadFamilies } from '../src/config/reload.ts'
import { peerFamilies } from '../src/discovery/peer-collector.ts'
import { ColdTax } from '../src/judge/cold-tax.ts'
import { kinds } from '../src/kinds/index.ts'
import { responderFamilies } from '../src/respond/responder.ts'
import { schedulerFamilies } from '../src/run/families.ts'
import { noiseFamilies } from '../src/run/noise.ts'
import { renderMetricsDoc } from './generate-metrics.ts'
import { renderSchema, SCHEMA_PATH } from './generate-schema.ts'

const root = dirname(import.meta.dirname)

/** The files in docs/ that are made from the code, by their path. */
const generated: Readonly<Record<string, string>> = {
  [SCHEMA_PATH]: renderSchema(),
  'docs/metrics.md': renderMetricsDoc({
    kinds: Object.fromEntries(Object.entries(kinds).map(([name, { families }]) => [name, families])),
    agent: {
      Configuration: Object.values(reloadFamilies),
      Discovery: Object.values(peerFamilies),
      Judgement: new ColdTax().families,
      Noise: Object.values(noiseFamilies),
      Responder: Object.values(responderFamilies),
      Schedule: Object.values(schedulerFamilies),
    },
  }),
}

if (process.argv.includes('--check')) await check()
else for (const [path, text] of Object.entries(generated)) await writeFile(join(root, path), text)

/** Fails when a file is not what the code says now. */
async function check(): Promise<void> {
  for (const [path, text] of Object.entries(generated)) {
    const present = await readFile(join(root, path), 'utf8').catch(whenAbsent)
    if (present === text) continue
    console.error(`${path} is not what the code says: run "make generate" and commit it`)
    process.exitCode = 1
  }
}

function whenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
