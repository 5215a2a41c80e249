/** The ways to access; its own messages come with it. */
export const access = {
  open: 'Access',
  openOf: (name: string) => `Access to “${name}”`,
  openOrganization: 'Access to the organization',
  reading: 'Reading who has access…',
};
