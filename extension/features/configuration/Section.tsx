import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { use, useState } from 'react';
import { sameValue } from '@repoless/contract/same-value.ts';
import { FORMS } from '@repoless/core/configuration/sections.ts';
import type { SectionName } from '@repoless/core/configuration/sections.ts';
import { Badge } from '../../ui/Badge.tsx';
import { FieldView } from './FieldView.tsx';
import { FormFrameContext } from './form-frame.ts';
import { RawJson } from './RawJson.tsx';
import { useForm } from './use-form.ts';

interface Props {
  readonly name: SectionName;
  readonly value: unknown;
  readonly stored: unknown;
  readonly inherited: unknown;
  /** How many problems the service found in it. */
  readonly problems: number;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (value: unknown) => void;
  readonly onBroken: (isBroken: boolean) => void;
}

/** A part of the configuration: its form, and its JSON beside it. It is drawn when it is opened first, and stays: fields hold what is not valid yet. */
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
                  place={name}
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
                      form.say(messages.cleared({ name: title }));
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
