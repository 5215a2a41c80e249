/** A page for people who open a git host in a browser. `body` is HTML. */
export function page(title: string, body: string): string {
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

/** A list of pieces of HTML. */
export function list(items: readonly string[]): string {
  return items.length === 0 ? '<p>None.</p>' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

export function link(address: string, text: string): string {
  return `<a href="${escape(encodeURI(address))}">${escape(text)}</a>`;
}

/** Branches with their commits. */
export function branchList(branches: readonly { readonly name: string; readonly commit: string }[]): string {
  return list(branches.map(({ name, commit }) => `${escape(name)} <code>${commit.slice(0, 12)}</code>`));
}

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
