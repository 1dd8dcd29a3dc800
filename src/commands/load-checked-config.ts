import type { Environment } from '../config/identity.ts'
import { type Loaded, loadConfig } from '../config/load.ts'
import { staticRateProblems } from '../static-plan.ts'

/** Loads a configuration by all the rules that an agent holds it to, the cap on rates among them. */
export async function loadCheckedConfig(file: string, environment: Environment): Promise<Loaded> {
  const loaded = await loadConfig(file, environment)
  if ('problems' in loaded) return loaded
  const problems = staticRateProblems(loaded.config)
  return problems.length > 0 ? { problems } : loaded
}
