import { ACCOUNTS, PASSWORD } from './accounts.ts';

/** The page on which one of the accounts is chosen. In: where the form goes, what was entered, and what was wrong with it. */
export function signInPage(action: string, nonce: string, entered: { email: string; problem?: string }): string {
  const accounts = ACCOUNTS.map(
    ({ email, name, role }) =>
      `<li><button type="button" class="account" data-email="${escaped(email)}"><strong>${escaped(name)}</strong><span>${escaped(email)}</span><span>${escaped(role)}</span></button></li>`,
  );
  const problem = entered.problem === undefined ? '' : `<p role="alert" id="problem">${escaped(entered.problem)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sign in – sandbox identity provider</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>Sign in to the sandbox</h1>
<p>Choose an account to fill in the form. Every password is <code>${PASSWORD}</code>.</p>
<ul>${accounts.join('')}</ul>
<form method="post" action="${escaped(action)}">
${problem}
<label for="email">E-mail</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escaped(entered.email)}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
</main>
<script nonce="${nonce}">
for (const account of document.querySelectorAll('.account')) account.addEventListener('click', () => {
  document.getElementById('email').value = account.dataset.email;
  document.getElementById('password').value = '${PASSWORD}';
  document.querySelector('form button').focus();
});
</script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --text: #222; --quiet: #555; --ground: #eef1f4; --card: #fff; --line: #767676; --accent: #6b2fb3; --on-accent: #fff; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #eee; --quiet: #b8b8b8; --ground: #17151a; --card: #242128; --line: #8f8f8f; --accent: #c8a6f5; --on-accent: #1b1320; --wrong: #ffb4ab; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
main { max-width: 30rem; margin: 4vh auto; padding: 2rem; background: var(--card); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
ul { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: .5rem; }
button { font: inherit; cursor: pointer; border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); padding: .5rem 1.1rem; }
.account { width: 100%; display: grid; text-align: start; background: transparent; color: var(--text); border-color: var(--line); }
.account span { color: var(--quiet); font-size: .9rem; }
label { display: block; margin-top: .75rem; font-weight: 600; }
input { width: 100%; font: inherit; padding: .5rem; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
form button { margin-top: 1.25rem; width: 100%; }
[role=alert] { color: var(--wrong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;
