import type { Problem } from '../model/problem.ts'

/** Problems of a file as lines for a person: how many, then one a line. */
export function formatProblems(file: string, problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  return [`${file} has ${count}`, ...problems.map((problem) => formatProblem(file, problem))].join('\n')
}

function formatProblem(file: string, { path, message }: Problem): string {
  return `Cannot parse ${path === '' ? file : `"${path}"`}: ${message}`
}
