import { BEAT, createHearing } from '../hearing.ts';
import { changeOf } from '../news.ts';
import type { News } from '../news.ts';
import type { SaidByReader, ToldReader } from './readers.ts';

/** The way to the process that writes, and back; messages come in their order. */
export interface WriterLine {
  say(message: SaidByReader): void;
  /** One listener, from now on. */
  onTold(listener: (message: ToldReader) => void): void;
}

export interface WriterHearing {
  isHearing(): boolean;
  close(): void;
}

/** Hears in a process that reads what the one that writes has changed: everything that is kept of it is dropped before that is confirmed. */
export function hearWriter({ say, onTold }: WriterLine, news: Pick<News, 'changed' | 'missed'>): WriterHearing {
  const hearing = createHearing();
  let asked: { readonly number: number; readonly proven: () => void } | undefined;
  let last = 0;

  function ask(): void {
    // A process that hangs shall not find a question for each beat.
    if (asked !== undefined) return;
    last += 1;
    asked = { number: last, proven: hearing.ask() };
    say({ kind: 'ask', number: last });
  }

  onTold((message) => {
    if (message.kind === 'news') {
      for (const payload of message.changes) {
        const change = changeOf(payload);
        if (change === undefined) news.missed();
        else news.changed(change);
      }
      return say({ kind: 'heard', number: message.number });
    }
    if (message.number !== asked?.number) return;
    if (message.missed) news.missed();
    asked.proven();
    asked = undefined;
  });
  ask();
  const beats = setInterval(ask, BEAT);
  return {
    isHearing: hearing.isHearing,
    close() {
      clearInterval(beats);
      hearing.lose();
    },
  };
}
