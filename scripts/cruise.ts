import { cruise as cruiseFiles } from 'dependency-cruiser'
import { layerRules } from './layers.ts'

interface Cruise {
  /** The imports that the table forbids, each as `rule: from -> to`, sorted. */
  readonly violations: readonly string[]
  /** Our own files that were read, relative to the base. */
  readonly modules: readonly string[]
}

/** Reads every import of the folders below `base` and holds it against the table of layers. */
export async function cruise(base: string, folders: readonly string[]): Promise<Cruise> {
  const { output } = await cruiseFiles([...folders], {
    baseDir: base,
    ruleSet: { forbidden: layerRules() },
    validate: true,
    // Type imports vanish when the types are stripped, and are imports all the same.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'],
    },
  })
  if (typeof output === 'string')
    throw new Error(`Cannot read the cruise: expected an object, got "${output}"`)
  const found = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)
  const modules = output.modules.map(({ source }) => source)
  return {
    violations: [...new Set(found)].sort(),
    modules: modules.filter((source) => source.endsWith('.ts') && !source.includes('node_modules/')),
  }
}
