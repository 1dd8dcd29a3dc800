import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

interface Instruction {
  readonly name: string
  readonly args: string
}

/** The instructions of the Dockerfile's stages, in order; comments dropped, continued lines joined. */
export const stages: readonly (readonly Instruction[])[] = parse(
  readFileSync(join(root, 'Dockerfile'), 'utf8'),
)

/** The stage that becomes the image. */
const image = stages.at(-1) ?? []

/** What the instructions of a name say in a stage. */
export function argsOf(name: string, stage = image): readonly string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ args }) => args)
}

/** The words of an instruction in its JSON form, without which a shell would be needed. */
export function wordsOf(name: string): readonly string[] {
  const [args = ''] = argsOf(name)
  return JSON.parse(args)
}

function parse(text: string): Instruction[][] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  const found: Instruction[][] = []
  for (const line of lines) {
    const [, name, args] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === undefined || args === undefined) continue
    if (name === 'FROM') found.push([])
    found.at(-1)?.push({ name, args })
  }
  return found
}
