import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import Close from '@spectrum-icons/workflow/Close';
import { useRef, useState } from 'react';
import type { ComponentRef, ReactNode } from 'react';
import { emptyValue } from '@repoless/core/configuration/form-node.ts';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import { renamed } from '@repoless/core/configuration/members.ts';
import { at, isObject, keysOf, pointerTo } from '@repoless/core/history/json-place.ts';
import { fieldMessages } from './form-frame.ts';
import type { NodeProps } from './form-frame.ts';
import { InheritedValue } from './InheritedValue.tsx';
import { KeyField } from './KeyField.tsx';
import { useForm } from './use-form.ts';

interface Props extends NodeProps<Extract<FormNode, { kind: 'record' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

/** Values by names that the author chooses, such as headers by paths. */
export function RecordForm({ node, keys, place, label, value, inherited, stored, isRequired, onChange, draw }: Props) {
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries = Object.entries(isObject(value) ? value : {});
  const own = fieldMessages(messages, place);
  const item = fieldMessages(messages, `${place}/*`);
  const keyLabel = own.key ?? label;
  const problem = form.problemOf(pointerTo(...keys));
  const isNested = place.includes('/');
  const change = (next: Readonly<Record<string, unknown>>): void =>
    onChange(Object.keys(next).length === 0 && !isRequired ? undefined : next);
  const remove = (key: string): void => {
    change(Object.fromEntries(entries.filter(([name]) => name !== key)));
    setFresh(undefined);
    form.say(messages.removed({ name: key === '' ? keyLabel : key }));
    add.current?.focus();
  };
  return (
    <div className="rp-entries" role="group" aria-label={label}>
      {isNested && <p className="rp-label">{label}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {entries.length === 0 && inherited === undefined && <p className="rp-empty">{messages.none}</p>}
      {entries.map(([key, entry], index) => {
        const pointer = pointerTo(...keys, key);
        return (
          <div key={index} className="rp-record" role="group" aria-label={key === '' ? keyLabel : key}>
            <div className="rp-entry">
              <KeyField
                label={keyLabel}
                help={own.keyHelp}
                name={key}
                taken={(name) => isObject(value) && Object.hasOwn(value, name)}
                problem={node.value.kind === 'text' ? undefined : form.problemOf(pointer)}
                autoFocus={fresh === index}
                onRename={(name) => onChange(renamed(entries, key, name))}
              />
              <ActionButton
                isQuiet
                isDisabled={form.isDisabled}
                aria-label={messages.removeOf({ name: key === '' ? keyLabel : key })}
                onPress={() => remove(key)}
              >
                <Close size="XS" />
              </ActionButton>
            </div>
            {draw({
              node: node.value,
              keys: [...keys, key],
              place: `${place}/*`,
              label: item.label,
              value: entry,
              inherited: at(inherited, key),
              stored: at(stored, key),
              isRequired: true,
              onChange: (next) => change({ ...Object.fromEntries(entries), [key]: next }),
            })}
          </div>
        );
      })}
      {keysOf(inherited)
        .filter((key) => !isObject(value) || !Object.hasOwn(value, key))
        .map((key) => (
          <InheritedValue
            key={key}
            label={key}
            place={`${place}/*`}
            value={undefined}
            inherited={at(inherited, key)}
            onChange={(next) => change({ ...Object.fromEntries(entries), [key]: next })}
          />
        ))}
      <div>
        <ActionButton
          ref={add}
          isDisabled={form.isDisabled || entries.some(([key]) => key === '')}
          onPress={() => {
            setFresh(entries.length);
            onChange({ ...Object.fromEntries(entries), '': emptyValue(node.value) });
          }}
        >
          {own.add ?? messages.add}
        </ActionButton>
      </div>
    </div>
  );
}
