import { TextArea } from '@adobe/react-spectrum/TextArea';
import { useState } from 'react';
import { sameValue } from '@repoless/contract/same-value.ts';
import { hideCredentials, revealCredentials } from '@repoless/core/history/cdn-credentials.ts';
import type { SectionName } from '@repoless/core/configuration/sections.ts';
import { readJson } from '@repoless/core/rollouts/read-json.ts';
import { printJson } from '../../ui/print-json.ts';
import { useForm } from './use-form.ts';

interface Props {
  readonly name: SectionName;
  readonly title: string;
  readonly value: unknown;
  readonly stored: unknown;
  readonly isDisabled: boolean;
  readonly onChange: (value: unknown) => void;
  /** The text is no JSON, or is again. */
  readonly onBroken: (isBroken: boolean) => void;
}

type Typed = { readonly text: string; readonly value: unknown; readonly line?: number };

/** A section as JSON, in sync with its form. A text that is no JSON yet changes nothing, and stays until it is corrected. */
export function RawJson({ name, title, value, stored, isDisabled, onChange, onBroken }: Props) {
  const { messages } = useForm();
  const [typed, setTyped] = useState<Typed>();
  const shown = name === 'cdn' ? hideCredentials(value) : value;
  const isMine = typed !== undefined && (typed.line !== undefined || sameValue(typed.value, value));
  const text = isMine ? typed.text : shown === undefined ? '' : printJson(shown);
  const line = isMine ? typed.line : undefined;
  const take = (next: string): void => {
    const read = next.trim() === '' ? ({ state: 'read', value: undefined } as const) : readJson(next);
    if (read.state === 'broken') setTyped({ text: next, value, line: read.line });
    else {
      const revealed = name === 'cdn' ? revealCredentials(read.value, stored) : read.value;
      setTyped({ text: next, value: revealed });
      onChange(revealed);
    }
    onBroken(read.state === 'broken');
  };
  return (
    <TextArea
      label={messages.json.label({ name: title })}
      description={name === 'cdn' ? `${messages.json.help} ${messages.json.hidden}` : messages.json.help}
      value={text}
      onChange={take}
      isReadOnly={isDisabled}
      width="100%"
      autoComplete="off"
      spellCheck="false"
      UNSAFE_className="rp-raw-json"
      {...(line === undefined ? {} : { validationState: 'invalid' as const, errorMessage: messages.json.broken({ line }) })}
    />
  );
}
