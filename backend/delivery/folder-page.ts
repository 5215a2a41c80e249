/**
 * The page that stands for all pages of a folder where they are not there themselves. `/products` means the folder and all
 * below, `/products/` what is below alone; the most special folder counts. Undefined where the path lies in none, or asks
 * for something that is no page. In: a public path.
 */
export function folderPage(path: string, folders: Readonly<Record<string, string>> | undefined): string | undefined {
  if (folders === undefined) return undefined;
  const page = path.replace(/\.plain\.html$|\.html$/, '');
  if (/\.[^/]*$/.test(page)) return undefined;
  const [folder] = Object.keys(folders)
    .filter((one) => lies(page, one))
    .toSorted((one, other) => other.length - one.length);
  const given = folder === undefined ? undefined : folders[folder];
  const target = given === undefined || given.startsWith('/') ? given : `/${given}`;
  if (target === undefined || target === page) return undefined;
  return path.endsWith('.plain.html') && !/\.[^/]*$/.test(target) ? `${target}.plain.html` : target;
}

function lies(page: string, folder: string): boolean {
  if (folder.endsWith('/')) return page.length > folder.length && page.startsWith(folder);
  return page === folder || page.startsWith(`${folder}/`);
}
