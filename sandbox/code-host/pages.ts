import type { Branch } from '../git-server/read-repositories.ts';

/** A plain page with links, for people who look at the code host in a browser. */
export function linksPage(title: string, links: readonly { readonly text: string; readonly address: string }[]): string {
  return page(title, list(links));
}

export function repositoryPage(org: string, repo: string, address: string, branches: readonly Branch[], files: readonly string[]): string {
  const name = `${org}/${repo}`;
  return page(
    name,
    `<p>Clone it: <code>git clone ${escape(`${address}/${name}`)}</code></p>
<h2>Branches</h2>
<ul>${branches.map(({ name: branch, commit }) => `<li>${escape(branch)} <code>${commit.slice(0, 12)}</code></li>`).join('')}</ul>
<h2>Files on main</h2>
${list(files.map((path) => ({ text: path, address: `/raw/${name}/main/${path}` })))}`,
  );
}

function list(links: readonly { readonly text: string; readonly address: string }[]): string {
  return `<ul>${links.map(({ text, address }) => `<li><a href="${escape(encodeURI(address))}">${escape(text)}</a></li>`).join('')}</ul>`;
}

function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem">
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
