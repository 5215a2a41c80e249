/** What a change of path mappings does to the pages that are there. */
export const simulation = {
  title: 'Effect on the pages',
  /** By what would change it. */
  occasion: {
    plan: 'The plan changes the path mapping of this site.',
    row: 'Setting this site up changes its path mapping.',
    restore: 'This changes the path mapping of this site.',
  },
  text: 'See first which pages get a different address, lose their address, or collide. The simulation changes nothing.',
  start: 'Simulate on the pages',
  stop: 'Stop',
  reading: (pages: number) => (pages === 1 ? '1 page read…' : `${pages} pages read…`),
  stopped: 'The simulation was stopped.',
  failed: 'Couldn’t read the pages',
  none: 'There are no pages at the mapped paths.',
  nothing: (pages: number) =>
    pages === 1 ? 'The address of the 1 page stays as it is.' : `The addresses of all ${pages} pages stay as they are.`,
  counts: {
    collides: (pages: number) => (pages === 1 ? '1 page collides' : `${pages} pages collide`),
    vanishes: (pages: number) => (pages === 1 ? '1 page loses its address' : `${pages} pages lose their address`),
    changed: (pages: number) => (pages === 1 ? '1 page gets a different address' : `${pages} pages get a different address`),
    appears: (pages: number) => (pages === 1 ? '1 page gets an address' : `${pages} pages get an address`),
    unchanged: (pages: number) => (pages === 1 ? '1 page stays as it is' : `${pages} pages stay as they are`),
  },
  list: 'Affected pages',
  changed: (before: string, after: string) => `${before} → ${after}`,
  appears: (after: string) => `gets the address ${after}`,
  vanishes: (before: string) => `loses the address ${before}`,
  hiddenBy: (address: string, other: string) => `not shown: ${address} shows ${other}`,
  shares: (address: string, other: string) => `shares ${address} with ${other}`,
  lostFolder: (folder: string, page: string) =>
    `Addresses below ${folder} without a page of their own no longer show ${page}, because that page loses its address.`,
  cut: (pages: number) => `Only ${pages} pages were checked. There are more.`,
  unread: (count: number, path: string, why: string) =>
    `${count === 1 ? '1 folder of pages was' : `${count} folders of pages were`} not checked, among them ${path}. ${why}`,
};
