export const claim = {
  title: (organization: string) => `Claim the organization “${organization}”`,
  text: 'Whoever owns the organization on the code host proves it once: by a small file in one of its repositories. An operator of the configuration service can claim it without that.',
  repository: 'Repository of the organization',
  repositoryHelp: 'You must be able to commit to its main branch.',
  get: 'Get the file',
  commit: (path: string, repository: string, branch: string) =>
    `Commit this text as ${path} to the branch ${branch} of ${repository}, then check.`,
  path: 'File',
  token: 'Text',
  copyPath: 'Copy file name',
  copyToken: 'Copy text',
  until: (time: string) => `It is valid until ${time}.`,
  check: 'I have committed it: check',
};
