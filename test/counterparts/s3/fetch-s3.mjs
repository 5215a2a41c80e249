// `npm run fetch:s3`: fetches an S3 server (Versity S3 Gateway, on a folder) by the Go module proxy into node_modules/.cache, once.
import { installGoProgram } from '../go-program.mjs';

const VERSION = 'v1.8.0';

await installGoProgram(
  `github.com/versity/versitygw/cmd/versitygw@${VERSION}`,
  new URL(`../../../node_modules/.cache/s3/${VERSION}/`, import.meta.url).pathname,
).catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
