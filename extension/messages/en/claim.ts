export const claim = {
  title: (organization: string) => `Claim the organization “${organization}”`,
  text: 'If the organization is already claimed, ask one of its administrators for access; the service does not reveal whether it is. Otherwise, claim it here. The owner of the organization on the code host proves ownership once, with a small file in one of its repositories. An operator of the configuration service can claim it without that file.',
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
  check: 'Check the committed file',
};
