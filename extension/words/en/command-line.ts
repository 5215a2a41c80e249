/** What the command line says. */
export const commandLine = {
  help: `repoless: many sites on one code base, from a declarative file

Usage: repoless <command> [options]

  login                 sign in to the configuration service with a code (RFC 8628)
  plan    -f <file>     say what apply would do; changes nothing
  apply   -f <file>     bring service and authoring system to what the file says
  check   -f <file>     check every site of the file and explain what is wrong
  status  -f <file>     say which sites are registered and as the file says
  export                write the file from what the service holds
  import  <folder>      propose the file from a project's fstab.yaml and paths.json

Options
  -f, --file <path>           the file, YAML or JSON (schema: docs/site-file.schema.json); - for standard input
      --service <address>     the configuration service (else the file's, else REPOLESS_SERVICE)
      --organization <name>   export, import
      --author <address>      export: sites of this author alone; import: the author, where fstab.yaml has another
      --site <name>           plan, apply, check, status: this site alone, may be repeated; import: the site's name
      --code <owner>/<repo>   import: the repository, where it is not the one of the folder; export: sites of it alone
      --content-root <path>   import: where paths.json is missing
  -o, --out <path>            export, import: write here instead of to standard output
      --concurrency <number>  sites at once, 6 without it
      --dry-run               apply: the same as plan
      --json                  answer as JSON
      --version, --help

Environment
  REPOLESS_TOKEN              a token of the service, instead of login
  REPOLESS_AUTHORING_TOKEN    a token of the authoring system; without it the service's side alone is dealt with
  REPOLESS_SERVICE            address of the service

Exit codes
  0  done, or nothing to do      2  the command or the file is wrong; nothing was done
  1  something failed            3  plan: changes are pending; check: something is wrong
`,
  usage: {
    noCommand: 'Say what to do: login, plan, apply, check, status, export or import.',
    unknownCommand: (name: string) => `There is no command "${name}".`,
    seeHelp: 'See repoless --help.',
    noFile: 'Name the file with -f <path>.',
    noService: 'Name the configuration service with --service <address>, in the file, or in REPOLESS_SERVICE.',
    serviceInvalid: (text: string) => `"${text}" is not an address of a configuration service; it begins with https://.`,
    noOrganization: 'Name the organization with --organization <name>.',
    noFolder: 'Name the folder of the project: repoless import <folder>.',
    concurrency: (text: string) => `--concurrency ${text}: write a number from 1 to 32.`,
    noSuchSite: (name: string) => `The file has no site "${name}".`,
    code: (text: string) => `--code ${text}: write <owner>/<repo>.`,
  },
  file: {
    unreadable: (path: string) => `${path} cannot be read.`,
    empty: 'The file is empty.',
    required: 'This is required.',
    unknownProperty: (name: string) => `There is no property "${name}" here; remove it.`,
    notOneOf: (values: string) => `Write ${values} here.`,
    noForm: 'None of the forms that are allowed here fits.',
    wrongType: (expected: string) => `Write ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected} here.`,
    count: (count: number) => `${count} ${count === 1 ? 'line is' : 'lines are'} wrong; nothing was done.`,
  },
  login: {
    open: (address: string, code: string) => `Open ${address} in a browser, sign in, and allow the code ${code}.`,
    done: (email: string, service: string) => `Signed in to ${service} as ${email}.`,
    denied: 'The code was not allowed. Run repoless login again.',
    expired: 'The code ran out before it was allowed. Run repoless login again.',
    stopped: 'Stopped; nobody is signed in.',
    needed: 'Nobody is signed in. Run repoless login, or set REPOLESS_TOKEN.',
  },
  plan: {
    nothing: (count: number) => `Nothing to do: ${count === 1 ? 'the site is' : `all ${count} sites are`} as the file says.`,
    create: 'create',
    change: 'change',
    blocked: 'blocked',
    summary: (create: number, change: number, same: number, blocked: number) =>
      `${create} to create, ${change} to change, ${same} as they should be${blocked === 0 ? '' : `, ${blocked} blocked`}.`,
  },
  apply: {
    progress: (done: number, total: number, failed: number) => `${done} of ${total} done${failed === 0 ? '' : `, ${failed} failed`}`,
    left: (seconds: number) => `about ${seconds} s left`,
    paused: (seconds: number) => `the service asks to wait ${seconds} s`,
    created: 'created',
    changed: 'changed',
    unchanged: 'unchanged',
    failed: 'failed',
    stopped: 'not reached',
    summary: (created: number, changed: number, unchanged: number, failed: number, stopped: number) =>
      `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed, ${stopped} not reached.`,
    serviceOnly:
      'The authoring system was left alone: set REPOLESS_AUTHORING_TOKEN to set cloud configurations and configuration pages too.',
    again: 'Run the same command again: it goes on with what is left.',
  },
  check: {
    fine: (count: number) => `${count === 1 ? 'The site is' : `All ${count} sites are`} fine.`,
    summary: (wrong: number, warnings: number) => `${wrong} wrong, ${warnings} to look at.`,
    serviceOnly: 'Checked without the authoring system: set REPOLESS_AUTHORING_TOKEN to check its settings too.',
    notRead: 'The site could not be checked.',
  },
  status: {
    registered: 'as the file says',
    differs: 'differs from the file',
    missing: 'not registered',
    summary: (same: number, differs: number, missing: number) => `${same} as the file says, ${differs} differ, ${missing} not registered.`,
  },
  export: {
    skipped: (site: string) => `${site} was left out: it has no content root, or its content does not come from an authoring system.`,
    none: (organization: string) => `The organization ${organization} has no such sites.`,
    written: (path: string, count: number) => `${path}: ${count} ${count === 1 ? 'site' : 'sites'}.`,
  },
  import: {
    noFstab: (path: string) => `${path} is missing. Run this in the folder of a project that has one.`,
    noMountpoint: 'fstab.yaml has no mount point "/" with an address.',
    notDelivery: (address: string) =>
      `The content address ${address} is not that of an authoring system (…/bin/<connector>.delivery/<organization>/<site>/main).`,
    furtherMountpoints: (paths: string) => `These mount points of fstab.yaml have no counterpart and were left out: ${paths}.`,
    noRoot: (path: string) => `${path} maps nothing to "/". Name the content root with --content-root <path>.`,
    wrong: (path: string, line: number | undefined, detail: string) => `${path}${line === undefined ? '' : `, line ${line}`}: ${detail}`,
    rootSlash: (from: string, to: string) => `The mapping ${from} was written as ${to}, so that the pages below are mapped too.`,
    mappedConfiguration: (path: string) => `${path} was mapped to /.helix/config.json; make the page, or leave the mapping out.`,
    obsolete: 'Once the site is applied, fstab.yaml and paths.json are no longer needed.',
  },
  failed: (sentence: string, next: string | undefined) => (next === undefined ? sentence : `${sentence} ${next}`),
  stopped: 'Stopped.',
};
