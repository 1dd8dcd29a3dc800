import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate signed by itself, for `DNS:` and `IP:` names as openssl writes them. */
export function createCertificate(names: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'pathmeter-cert-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  try {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const subject = ['-subj', '/CN=pathmeter test', '-days', '1', '-addext', `subjectAltName=${names}`]
    const files = ['-keyout', keyFile, '-out', certFile]
    execFileSync('openssl', [...request, ...subject, ...files], { stdio: 'pipe' })
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Makes every TLS client of this process trust the certificate. */
export function trust({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates('default'), cert])
}
