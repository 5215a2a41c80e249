// `npm run fetch:s3`: an S3 server (Versity S3 Gateway, on a folder) by the Go module proxy into node_modules/.cache, once.
// Plain JavaScript: .ci/run calls it to learn whether the tests against it can run at all.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const VERSION = 'v1.8.0';
const FOLDER = new URL(`../../../node_modules/.cache/s3/${VERSION}/`, import.meta.url).pathname;
const MODULE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;
const LONGEST = 330_000;

if (!existsSync(`${FOLDER}versitygw`)) {
  console.log(`Fetching and compiling the S3 server versitygw ${VERSION} with Go, some minutes…`);
  try {
    const parameters = ['install', '-trimpath', '-ldflags=-s -w', MODULE];
    await promisify(execFile)('go', parameters, { timeout: LONGEST, env: { ...process.env, GOBIN: FOLDER, CGO_ENABLED: '0' } });
  } catch (cause) {
    const said = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).trim().split('\n').at(-1) : '';
    console.error(`Go could not install ${MODULE}. ${said}`);
    process.exitCode = 1;
  }
}
