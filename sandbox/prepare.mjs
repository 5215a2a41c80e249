// `npm start` and `npm run dev` on a fresh clone: plain JavaScript without dependencies, because nothing is installed yet.
import { parseArgs } from 'node:util';
import { checkRequirements, installPackages, buildParts } from './preparation/install.mjs';
import { ROOT, ScriptError, reportErrors, say } from './preparation/run.mjs';

await reportErrors(async () => {
  const options = {
    https: { type: 'boolean', default: false },
    service: { type: 'string' },
    sites: { type: 'string' },
    hosted: { type: 'boolean', default: false },
  };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [task] = positionals;
  if (task !== 'start' && task !== 'dev')
    throw new ScriptError('Write: node sandbox/prepare.mjs start [--sites <number>] [--hosted], or dev [--https [--service <address>]].');
  await checkRequirements();
  await installPackages();
  process.chdir(ROOT);
  if (task === 'dev') {
    await buildParts(['programs']);
    const { develop } = await import('./preparation/develop.mjs');
    await develop(values);
    return;
  }
  await buildParts();
  say('Starting the sandbox …');
  process.argv.length = 2;
  if (values.sites !== undefined) process.argv.push('--sites', values.sites);
  if (values.hosted) process.argv.push('--hosted');
  await import('./dist/main.js');
});
