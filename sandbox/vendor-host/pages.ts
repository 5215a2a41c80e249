import type { Branch } from '../git-server/read-repositories.ts';
import { VendorForm } from './events/sign.ts';
import type { Hook, SentEvent } from './hooks.ts';

export interface ShownRepository {
  readonly address: string;
  readonly name: string;
  readonly branches: readonly Branch[];
  readonly hooks: readonly Hook[];
  readonly sent: readonly SentEvent[];
}

/** Where a person sets the webhook of a repository up, and sees what was sent. Secrets are never shown again. */
export function repositoryPage({ address, name, branches, hooks, sent }: ShownRepository): string {
  return page(
    name,
    `<p>Clone address: <code>${escape(`${address}.git`)}</code></p>
<h2>Branches</h2>
${list(branches.map((branch) => `${escape(branch.name)} <code>${branch.commit.slice(0, 12)}</code>`))}
<h2>Webhooks</h2>
${list(hooks.map(({ id, form, address: to }) => `${escape(form)}: <code>${escape(withoutQuery(to))}</code> ${button(`/${name}/hooks/${id}/remove`, 'Remove')}`))}
<form method="post" action="/${escape(name)}/hooks">
<p><label>Send events as <select name="form">${VendorForm.options.map((form) => `<option>${form}</option>`).join('')}</select></label></p>
<p><label>Webhook address, with its API key <input name="address" type="url" required size="60" autocomplete="off"></label></p>
<p><label>Webhook secret <input name="secret" type="password" required size="60" autocomplete="off"></label></p>
<p><button>Add webhook</button></p>
</form>
<h2>Events sent</h2>
${list(sent.map(({ id, branch, time, status }) => `${escape(time)} ${escape(branch)}: ${status ?? 'no answer'} ${button(`/${name}/events/${id}/again`, 'Send again')}`))}`,
  );
}

export function teamsPage(repositories: readonly string[]): string {
  return page('Git vendor', list(repositories.map((name) => `<a href="/${escape(name)}">${escape(name)}</a>`)));
}

function button(action: string, text: string): string {
  return `<form method="post" action="${escape(action)}" style="display: inline"><button>${text}</button></form>`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '<p>None.</p>' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function withoutQuery(address: string): string {
  return address.split('?')[0] ?? '';
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
