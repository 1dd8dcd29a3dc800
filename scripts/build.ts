import { cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = dirname(import.meta.dirname)

/** Where the bundle goes; `bin/node scripts/build.ts FOLDER` puts it elsewhere. */
const out = process.argv[2] ?? join(root, 'dist')

/** What CommonJS packages expect to find in scope, which an ES module does not have. */
const commonJsScope =
  "import { createRequire as createBundleRequire } from 'node:module'\n" +
  'const require = createBundleRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename\n'

/** What of koffi runs; the rest of it is its sources in C++. */
const koffiFiles = ['package.json', 'index.js', 'src/koffi/**/*.{js,cjs}', 'LICENSE.txt']

await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(await bundle()))
await copyKoffi()

/** One file with everything but koffi. @returns what went into it */
async function bundle(): Promise<readonly string[]> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli.ts'],
    // The map names sources as seen from here, so that its bytes do not depend on where they are written.
    outfile: 'dist/pathmeter.mjs',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    // V8 keeps the source in memory, a third of it blanks. Names stay, for stack traces.
    minifyWhitespace: true,
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    external: ['koffi'],
    banner: { js: commonJsScope },
    metafile: true,
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) await writeFile(join(out, basename(path)), contents)
  return Object.keys(metafile.inputs)
}

/** Koffi loads a shared object that lies at a fixed place beside it, so it travels as the packages it is made of. */
async function copyKoffi(): Promise<void> {
  const from = join(root, 'node_modules')
  const to = join(out, 'node_modules')
  for await (const file of glob(koffiFiles, { cwd: join(from, 'koffi') })) {
    await cp(join(from, 'koffi', file), join(to, 'koffi', file))
  }
  for await (const folder of glob('@koromix/koffi-linux-*', { cwd: from })) {
    // Node of the image is linked to glibc; the object for musl would never be loaded.
    const files = (await readdir(join(from, folder))).filter((file) => !file.startsWith('musl_'))
    for (const file of files) await cp(join(from, folder, file), join(to, folder, file), { recursive: true })
  }
}

/** The licences of all packages that the image carries copies of, which their licences ask for. */
async function licencesOf(inputs: readonly string[]): Promise<string> {
  const packages = inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
  const folders = [...new Set([...packages, 'node_modules/koffi'])]
    .filter((folder) => folder !== undefined)
    .sort()
  const texts = await Promise.all(folders.map(licenceOf))
  return texts.join('\n')
}

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
  const file = (await readdir(join(root, folder))).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? await readFile(join(root, folder, file), 'utf8') : ''
  return `== ${name} ${version} (${license})\n\n${text.trim()}\n`
}
