import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { sameValue } from '@repoless/contract/json.ts';
import { FORMS, type SectionName } from '@repoless/core/configuration/configuration-kind.ts';
import { hideCredentials, revealCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { readJson } from '@repoless/core/rollouts/read-json.ts';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { use, useState } from 'react';
import { Badge } from '../../ui/Badge.tsx';
import { printJson } from '@repoless/core/history/json-values.ts';
import { FieldView } from './FieldView.tsx';
import { FormFrameContext, useForm } from './leaves.tsx';

interface Props {
  readonly name: SectionName;
  readonly value: unknown;
  readonly stored: unknown;
  readonly inherited: unknown;
  /** Number of problems that the service found in it. */
  readonly problems: number;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (value: unknown) => void;
  readonly onBroken: (isBroken: boolean) => void;
}

/**
 * A part of the configuration: its form, and its JSON next to it. It is rendered when first opened, and stays mounted: fields contain input
 * that is not valid yet.
 */
export function Section({ name, value, stored, inherited, problems, isOpen, onOpen, onChange, onBroken }: Props) {
  const form = useForm();
  const frame = use(FormFrameContext);
  const { messages } = form;
  const { title, text } = messages.sections[name];
  const [broken, setBroken] = useState(false);
  const [isDrawn, setDrawn] = useState(isOpen);
  if (isOpen && !isDrawn) setDrawn(true);
  const isChanged = !sameValue(value, stored);
  const isDisabled = form.isDisabled || broken;
  return (
    <details className="rp-card rp-section" open={isOpen} onToggle={({ currentTarget }) => onOpen(currentTarget.open)}>
      <summary>
        <ChevronRight size="XS" UNSAFE_className="rp-fold-mark" />
        <h2>{title}</h2>
        <span className="rp-section-marks">
          {problems > 0 && <Badge tone="negative" text={messages.problems({ count: problems })} />}
          {isChanged && <Badge tone="info" text={messages.changed} />}
          {inherited !== undefined && <Badge tone="neutral" text={messages.inherited} />}
          {value === undefined && inherited === undefined && <span className="rp-quiet">{messages.notSet}</span>}
        </span>
      </summary>
      {isDrawn && frame !== undefined && (
        <div className="rp-section-body" hidden={!isOpen}>
          <p className="rp-quiet">{text}</p>
          <div className="rp-section-columns">
            <div className="rp-section-form">
              <FormFrameContext value={{ ...frame, isDisabled, hasHelp: frame.hasHelp && !broken }}>
                <FieldView
                  node={FORMS[name]}
                  keys={[name]}
                  location={name}
                  label={title}
                  value={value}
                  inherited={inherited}
                  stored={stored}
                  isRequired={false}
                  onChange={onChange}
                />
              </FormFrameContext>
              {value !== undefined && (
                <div>
                  <ActionButton
                    isQuiet
                    isDisabled={isDisabled}
                    onPress={() => {
                      onChange(undefined);
                      form.announce(messages.cleared({ name: title }));
                    }}
                  >
                    {messages.clearPart}
                  </ActionButton>
                </div>
              )}
            </div>
            <RawJson
              name={name}
              title={title}
              value={value}
              stored={stored}
              isDisabled={form.isDisabled}
              onChange={onChange}
              onBroken={(next) => {
                setBroken(next);
                onBroken(next);
              }}
            />
          </div>
        </div>
      )}
    </details>
  );
}

interface RawJsonProps extends Pick<Props, 'name' | 'value' | 'stored' | 'onChange' | 'onBroken'> {
  readonly title: string;
  readonly isDisabled: boolean;
}

type Typed = { readonly text: string; readonly value: unknown; readonly line?: number };

/** A section as JSON, in sync with its form. Invalid JSON changes nothing, and stays until it is corrected. */
function RawJson({ name, title, value, stored, isDisabled, onChange, onBroken }: RawJsonProps) {
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
