/** The script of the page to try calls: sends the form of a call and shows its answer. */
export const PAGE_SCRIPT = `'use strict';

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input[data-place]')) {
    const { name, value } = input;
    if (input.dataset.place === 'query') {
      if (value !== '') query.set(name, value);
    } else {
      path = path.replace('{' + name + '}', encodeURIComponent(value)).replace('{' + name + '*}', value.split('/').map(encodeURIComponent).join('/'));
    }
  }
  return query.size > 0 ? path + '?' + query : path;
}

function requestOf(form) {
  const headers = { accept: 'application/json' };
  const token = document.getElementById('token').value.trim();
  if (token !== '') headers['x-auth-token'] = token;
  const body = form.querySelector('textarea');
  if (body !== null && body.value !== '') headers['content-type'] = body.dataset.media;
  return { method: form.dataset.method, headers, ...(body !== null && body.value !== '' && { body: body.value }) };
}

async function send(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const shown = form.querySelector('pre');
  shown.hidden = false;
  shown.textContent = 'Sending …';
  try {
    const answer = await fetch(addressOf(form), requestOf(form));
    const headers = [...answer.headers].map(([name, value]) => name + ': ' + value).join('\\n');
    shown.textContent = answer.status + ' ' + answer.statusText + '\\n' + headers + '\\n\\n' + (await answer.text());
  } catch (error) {
    shown.textContent = 'The service does not respond: ' + error.message;
  }
}

for (const form of document.querySelectorAll('form')) form.addEventListener('submit', send);
`;
