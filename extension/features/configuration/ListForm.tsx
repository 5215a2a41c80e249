import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import Close from '@spectrum-icons/workflow/Close';
import { useRef, useState } from 'react';
import type { ComponentRef, ReactNode } from 'react';
import { emptyValue } from '@repoless/core/configuration/form-node.ts';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import { at, pointerTo } from '@repoless/core/history/json-place.ts';
import { fieldMessages } from './form-frame.ts';
import type { NodeProps } from './form-frame.ts';
import { InheritedValue } from './InheritedValue.tsx';
import { useForm } from './use-form.ts';

interface Props extends NodeProps<Extract<FormNode, { kind: 'list' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

/** A list: its entries, and a button for another one. */
export function ListForm(props: Props) {
  const { node, keys, place, label, value, inherited, stored, isRequired, onChange, draw } = props;
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const own = fieldMessages(messages, place);
  const item = fieldMessages(messages, `${place}/*`);
  const problem = form.problemOf(pointerTo(...keys));
  const isFull = node.most !== undefined && entries.length >= node.most;
  const removeAt = (index: number, name: string): void => {
    const left = entries.toSpliced(index, 1);
    // An empty list of its own takes the place of the profile's.
    onChange(left.length === 0 && !isRequired && inherited === undefined ? undefined : left);
    setFresh(undefined);
    form.say(messages.removed({ name }));
    add.current?.focus();
  };
  return (
    <div className="rp-entries" role="group" aria-label={label}>
      <p className="rp-label">{label}</p>
      {own.help !== undefined && <p className="rp-quiet">{own.help}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {entries.map((entry, index) => {
        const name = messages.numbered({ label: item.label, number: index + 1 });
        return (
          <div key={index} className="rp-entry">
            {draw({
              node: node.item,
              keys: [...keys, String(index)],
              place: `${place}/*`,
              label: name,
              value: entry,
              inherited: undefined,
              stored: Array.isArray(stored) ? stored[index] : at(stored, String(index)),
              isRequired: true,
              autoFocus: fresh === index,
              onChange: (next) => onChange(entries.with(index, next)),
            })}
            <ActionButton
              isQuiet
              isDisabled={form.isDisabled}
              aria-label={messages.removeOf({ name })}
              onPress={() => removeAt(index, name)}
            >
              <Close size="XS" />
            </ActionButton>
          </div>
        );
      })}
      {inherited !== undefined && (
        <InheritedValue
          {...props}
          label={entries.length === 0 ? label : messages.inherited}
          over={(more) => [...entries, ...(Array.isArray(more) ? more : [])]}
        />
      )}
      <div>
        <ActionButton
          ref={add}
          isDisabled={form.isDisabled || isFull}
          onPress={() => {
            setFresh(entries.length);
            onChange([...entries, emptyValue(node.item)]);
          }}
        >
          {own.add ?? messages.add}
        </ActionButton>
        {isFull && node.most !== undefined && <span className="rp-quiet"> {messages.atMostEntries({ count: node.most })}</span>}
      </div>
    </div>
  );
}
