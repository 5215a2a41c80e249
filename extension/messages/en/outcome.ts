export const outcome = {
  unread: 'Not refreshed yet',
  line: (site: string, organization: string) => `This page is set up for repoless as site “${site}” of “${organization}”.`,
  /** Every step is done, and still not all is well. */
  but: {
    differs: (site: string) => `The settings of the site “${site}” have changed since it was set up.`,
    faulty: (site: string, wrong: number) =>
      `Every step for the site “${site}” is done, but ${wrong === 1 ? '1 check fails' : `${wrong} checks fail`}. See “Health”.`,
    unverified: (site: string) => `Every step for the site “${site}” is done, but not everything could be verified yet. See “Health”.`,
  },
  preview: 'Preview address',
  live: 'Live address',
  copyAddress: (name: string) => `Copy ${name.toLowerCase()}`,
};
