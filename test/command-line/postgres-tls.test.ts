import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommandLine, temporaryDirectory } from '../support/child-backend.ts';
import { freePort } from '../support/free-port.ts';
import { migrated } from '../support/backend.ts';
import { operate } from '../support/operate.ts';
import { ended, ownDirectory, postgresBinaries, ready, unprivileged } from '../support/postgres.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

let directory: string;
let server: ChildProcess;
let address: string;
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  await buildCommandLine();
  const owner = unprivileged();
  directory = ownDirectory(owner);
  await newCertificate(directory, 'localhost');
  await newCertificate(folder.path, 'localhost');
  if (owner !== undefined) chownSync(join(directory, 'key.pem'), owner.uid, owner.gid);
  const [data, port] = [join(directory, 'data'), await freePort()];
  const how = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'];
  execFileSync(join(postgresBinaries(), 'initdb'), ['-D', data, ...how], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const settings = {
    listen_addresses: 'localhost',
    port,
    ssl: 'on',
    ssl_cert_file: certificate(directory),
    ssl_key_file: join(directory, 'key.pem'),
  };
  const args = Object.entries({ ...settings, fsync: 'off' }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  server = spawn(join(postgresBinaries(), 'postgres'), ['-D', data, '-k', directory, ...args], {
    ...owner,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await ready(server);
  address = `postgres://postgres@localhost:${port}/postgres?sslmode=verify-full`;
  await migrated(`${address}&sslrootcert=${certificate(directory)}`);
}, 120_000);
afterAll(async () => {
  await ended(server);
  rmSync(directory, { recursive: true, force: true });
});

it.each(['the address', 'NODE_EXTRA_CA_CERTS'])(
  'a database whose certificate is verified by an authority of %s is backed up and restored',
  async (where) => {
    const settings = (authority: string): Record<string, string> =>
      where === 'the address'
        ? { DATABASE_URL: `${address}&sslrootcert=${authority}` }
        : { DATABASE_URL: address, NODE_EXTRA_CA_CERTS: authority };
    const copy = join(folder.path, where);
    const own = settings(certificate(directory));
    expect(await operate(['backup', copy], own)).toMatchObject({ status: 0, err: '' });
    expect(await operate(['restore-backup', copy], own)).toMatchObject({ status: 0, err: '' });
    expect(await operate(['backup', copy], settings(certificate(folder.path)))).toMatchObject({ status: 2, out: '' });
  },
);

it.each(['backup', 'restore-backup'])('the password of a key in the address is refused by %s, and not printed', async (command) => {
  const file = join(folder.path, `${command}.dump`);
  await writeFile(file, '');
  const refused = await operate([command, file], { DATABASE_URL: `${address}&sslkey=${folder.path}/key.pem&sslpassword=hidden` });
  expect(refused).toMatchObject({ status: 2, out: '', err: expect.stringContaining('omit sslpassword') });
  expect(refused.err).not.toContain('hidden');
});

function certificate(folderPath: string): string {
  return join(folderPath, 'certificate.pem');
}

async function newCertificate(folderPath: string, name: string): Promise<void> {
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const whose = ['-subj', '/CN=test', '-addext', `subjectAltName=DNS:${name}`];
  await promisify(execFile)('openssl', [...how, ...whose, '-keyout', join(folderPath, 'key.pem'), '-out', certificate(folderPath)]);
}
