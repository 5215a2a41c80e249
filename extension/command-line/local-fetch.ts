import { lookup } from 'node:dns';
import { Agent, fetch as undiciFetch } from 'undici';

/** A fetch that finds names below `localhost` on this machine (RFC 6761), which Node's resolver may not. */
export function localFetch(): typeof fetch {
  const dispatcher = new Agent({
    connect: {
      lookup: (host, options, callback) => {
        if (!/(^|\.)localhost$/i.test(host)) return lookup(host, options, callback);
        if (options.all === true) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
      },
    },
  });
  return asFetch((input: Parameters<typeof undiciFetch>[0], init: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher }),
  );
}

// Safe: undici's fetch is the one that Node has built in; its types name the same classes a second time.
function asFetch(fetching: unknown): typeof fetch {
  return fetching as typeof fetch;
}
