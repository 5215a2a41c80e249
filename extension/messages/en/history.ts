/** The ways to the history; its own messages come with it. */
export const history = {
  open: 'History',
  openOf: (name: string) => `History of “${name}”`,
  openOrganization: 'History of the organization',
  profiles: 'Shared profiles',
  profilesUnread: 'Couldn’t read the profiles',
  reading: 'Reading the history…',
};
