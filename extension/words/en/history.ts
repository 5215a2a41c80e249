/** The ways to the history; its own words come with it. */
export const history = {
  open: 'History',
  openOf: (name: string) => `History of “${name}”`,
  openOrganization: 'History of the organization',
  reading: 'Reading the history…',
};
