/** What `repoless --help` says. */
export const help = `repoless: many sites on one code base, from a declarative file

Usage: repoless <command> [options]

  login                 sign in to the configuration service with a code (RFC 8628)
  logout                end this session; with --everywhere all of your sessions, in browsers too
  plan    -f <file>     show what apply would do; changes nothing
  simulate -f <file>    show which addresses of existing pages would change, collide or vanish; changes nothing
  apply   -f <file>     set up service and authoring system as in the file
  check   -f <file>     check every site in the file and explain problems
  status  -f <file>     show which sites are registered as in the file
  sync                  sync the code of sites, once for each repository, and follow it
  rollout -f <file>     change many sites by the same edits, or a profile for those that extend it, and follow it
  export                write the file from the service's configuration
  import  <folder> …    create a draft of the file from the fstab.yaml and paths.json of projects
  clone                 create a site with the configuration of another one
  move    <site> …      plan how sites move to another authoring environment; with --apply move them
  verify-log            check that the audit trail of an organization is unaltered
  mcp                   serve assistants (Model Context Protocol) on standard input and output

  Where the service is installed, with its settings; see docs/operations.md:
  backup <file>, verify-backup <file>, restore-backup <file>, keys <signing|secret> …, jobs <list|end> …, publish <verify|stop>,
  authoring-hosts <list|assign|release> …, content-roots <list|release> …, audit <prune|verify-archive> …,
  move-code --to <place>, move-database [--live] <postgres:// address>, move-database --back

Options
  -f, --file <path>           the file, YAML or JSON (schema: docs/site-file.schema.json); - for standard input
      --service <address>     the configuration service (else the file's, else REPOLESS_SERVICE)
      --organization <name>   sync without a file, rollout, export, import, clone, move, verify-log
      --author <address>      export: only sites of this author; import: the author, if not that of fstab.yaml
      --site <name>           plan, simulate, apply, check, status, sync: only this site, can be repeated; import, clone: the site's name
      --from <site>           clone: the site whose configuration is taken over
      --from <author>, --to <author>
                              move: the environment that the sites leave, and the one that they come to
      --path <prefix>=<prefix>
                              move: content below the first is below the second there, can be repeated
      --technical-account <id>
                              move: that of the new environment, if it shows none
      --keep-account          move: the technical account of the old environment stays in the access
      --apply                 move: move the sites
      --code <owner>/<repo>   import: the repository, if not that of the folder; export: only its sites
      --content-root <path>   clone: of the new site; import: if paths.json is missing
  -o, --out <path>            export, import: write here instead of to standard output
      --allow-content-change <site>
                              plan, apply: the content of this site may be replaced by other content, can be repeated
      --prune                 plan, apply: remove the sites that --previous names and the file no longer does
      --previous <file>       with --prune: the file as it was before, can be repeated; see docs/command-line.md
      --concurrency <number>  sites at once, default 6, of check 4, of simulate 2; repositories of sync, default 4
      --branch <name>         sync: the branch, default main
      --no-wait               sync, rollout: only start it
      --stop <id>, --resume <id>, --undo <id>
                              rollout: what one that was started is to do
      --no-record             check: leave what the service keeps of earlier checks as it is
      --format markdown       plan, move: for a comment of a pull request
      --dry-run               apply: the same as plan; clone: only try it; rollout: what it would do to each site
      --everywhere            logout: end all of your sessions
      --json                  answer as JSON
      --version, --help

Environment
  REPOLESS_TOKEN              a token of the service, instead of login
  REPOLESS_AUTHORING_TOKEN    a token of the authoring system; without it only the service is changed and checked
  REPOLESS_SERVICE            address of the service

Exit codes
  0  done, or nothing to do      2  the command or the file is invalid; nothing was done
  1  something failed            3  plan, move, rollout --dry-run: changes are pending; check, verify-log: errors were found;
                                    simulate: a page would lose its address or collide
                                 4  check, simulate: no errors, but not everything could be looked at
`;
