/** What `repoless --help` says. */
export const help = `repoless: many sites on one code base, from a declarative file

Usage: repoless <command> [options]

  login                 sign in to the configuration service with a code (RFC 8628)
  logout                end this session; with --everywhere, all of your sessions, including those in browsers
  plan    -f <file>     show what apply would do; changes nothing
  simulate -f <file>    show which addresses of existing pages would change, collide or vanish; changes nothing
  apply   -f <file>     set up the service and the authoring system to match the file
  check   -f <file>     check every site in the file and explain problems
  status  -f <file>     show which sites are registered and match the file
  sync                  sync the code of sites, once for each repository, and follow it
  rollout -f <file>     apply the same edits to many sites, or a new profile to those that extend it, and follow it
  export                write the file from the service's configuration
  import  <folder> …    create a draft of the file from the fstab.yaml and paths.json of projects
  clone                 create a site with the configuration of another one
  move    <site> …      plan how sites move to another authoring environment; with --apply, move them
  verify-log            check that the audit trail of an organization is unaltered
  mcp                   serve assistants (Model Context Protocol) on standard input and output

On the host of the service, with its settings; see docs/operations.md:
  backup <file>, verify-backup <file>, restore-backup <file>, keys <signing|secret> …, jobs <list|end> …,
  authoring-hosts <list|assign|release> …, content-roots <list|release> …,
  move-code --to <place>, move-database <postgres:// address>, move-database --back

Options
  -f, --file <path>           the file, YAML or JSON (schema: docs/site-file.schema.json); - for standard input
      --service <address>     the configuration service (default: the one in the file, then REPOLESS_SERVICE)
      --organization <name>   for sync without a file, rollout, export, import, clone, move, verify-log
      --author <address>      export: only sites of this author; import: the author, if it differs from fstab.yaml
      --site <name>           plan, simulate, apply, check, status, sync, export, move: only this site, can be repeated;
                              import, clone: the site's name
      --from <site>           clone: the site whose configuration is copied
      --from <author>, --to <author>
                              move: the old and the new environment of the sites
      --path <prefix>=<prefix>
                              move: the old and the new path of the content, can be repeated
      --technical-account <id>
                              move: the technical account of the new environment, if it shows none
      --keep-account          move: keep the technical account of the old environment in the access lists
      --apply                 move: move the sites
      --code <owner>/<repo>   import: the repository, if it differs from the folder's; export: only its sites
      --content-root <path>   clone: the content root of the new site; import: use this if paths.json is missing
  -o, --out <path>            export, import: write here instead of to standard output
      --allow-content-change <site>
                              plan, apply: allow replacing the content of this site with other content, can be repeated
      --prune                 plan, apply: remove the sites that are in --previous but no longer in the file
      --previous <file>       with --prune: the previous version of the file, can be repeated; see docs/command-line.md
      --concurrency <number>  sites in parallel, default 6 (check: 4, simulate: 2); for sync, repositories, default 4
      --branch <name>         sync: the branch, default main
      --no-wait               sync, rollout: only start it
      --stop <id>, --resume <id>, --undo <id>
                              rollout: stop, resume or undo an existing rollout
      --no-record             check: don't update the check results in the service
      --format markdown       plan, move: for a comment in a pull request
      --dry-run               apply: the same as plan; clone: test only; rollout: show what it would do to each site
      --everywhere            logout: end all of your sessions
      --json                  print JSON
      --version, --help

Environment
  REPOLESS_TOKEN              a token for the service, instead of login
  REPOLESS_AUTHORING_TOKEN    a token for the authoring system; without it, only the service is changed and checked
  REPOLESS_SERVICE            address of the service

Exit codes
  0  done, or nothing to do      2  the command or the file is invalid; nothing was done
  1  something failed            3  plan, move, rollout --dry-run: changes are pending; check, verify-log: errors were found;
                                    simulate: a page would lose its address or collide
                                 4  check, simulate: no errors, but not everything could be checked
`;
