import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, run, say } from './run.mjs';

const DAYS = 90;

/** A certificate for localhost, made on first use and kept with the sandbox's data until it expires. */
export async function developmentCertificate() {
  const folder = join(ROOT, 'data/certificate');
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const made = await stat(cert).catch(() => undefined);
  if (made === undefined || made.mtimeMs < Date.now() - (DAYS - 1) * 86_400_000) {
    say('Making a certificate for localhost …');
    await mkdir(folder, { recursive: true });
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    await run(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(DAYS), '-keyout', key, '-out', cert, ...names],
      'Couldn’t create the certificate: the program "openssl" is missing or too old. Install it (Debian, Ubuntu: apt-get install openssl).',
    );
  }
  return { key: await readFile(key), cert: await readFile(cert) };
}
