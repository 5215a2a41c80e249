/** The ways to the history; its own words come with it. */
export const history = {
  open: 'History',
  openOf: (name: string) => `History of “${name}”`,
  openOrganization: 'History of the organization',
  profiles: 'Profiles that sites share',
  profilesUnread: 'The profiles could not be read',
  reading: 'Reading the history…',
};
