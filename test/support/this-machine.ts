import { Agent } from 'undici';

/** Browsers resolve every name below `localhost` to this machine; Node.js does not. */
export function onThisMachine(): Agent {
  return new Agent({
    connect: {
      lookup: (_host, { all }, callback) =>
        all === true ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    },
  });
}
