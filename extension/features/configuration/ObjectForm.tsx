import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FormField, ObjectNode } from '@repoless/core/configuration/form-node.ts';
import { withMember } from '@repoless/core/configuration/members.ts';
import { at, pointerTo } from '@repoless/core/history/json-place.ts';
import { Fold } from '../../ui/Fold.tsx';
import { fieldMessages } from './form-frame.ts';
import type { NodeProps } from './form-frame.ts';
import { useForm } from './use-form.ts';

interface Props extends NodeProps<ObjectNode> {
  readonly draw: (props: NodeProps) => ReactNode;
  /** Stands before the fields. */
  readonly children?: ReactNode;
}

/** In an entry of a list, more fields than these are folded away while they are not set. */
const FEW = 6;
/** An entry of more fields than these has a frame of its own. */
const NARROW = 2;

/** The fields of an object. */
export function ObjectForm({ node, keys, place, label, value, inherited, stored, isRequired, autoFocus, onChange, draw, children }: Props) {
  const form = useForm();
  // A field stays where it is while one types.
  const [folded] = useState(
    () => new Set(!place.endsWith('*') || node.fields.length <= FEW ? [] : node.fields.filter(isOptional).map(({ name }) => name)),
  );
  function isOptional({ name, isRequired: needed }: FormField): boolean {
    return !needed && at(value, name) === undefined && at(inherited, name) === undefined;
  }
  const problem = form.problemOf(pointerTo(...keys));
  const field = ({ name, isRequired: needed, node: inner }: FormField, index: number) => {
    const inside = `${place}/${name}`;
    return (
      <div
        key={name}
        className={inner.kind === 'list' || inner.kind === 'record' || inner.kind === 'variants' ? 'rp-field-wide' : 'rp-field'}
      >
        {draw({
          node: inner,
          keys: [...keys, name],
          place: inside,
          label: fieldMessages(form.messages, inside).label,
          value: at(value, name),
          inherited: at(inherited, name),
          stored: at(stored, name),
          // Nothing of an object that is not there has to be.
          isRequired: needed && (isRequired || value !== undefined),
          autoFocus: autoFocus === true && index === 0,
          onChange: (next) => onChange(withMember(value, name, next, isRequired)),
        })}
      </div>
    );
  };
  const shown = node.fields.filter(({ name }) => !folded.has(name));
  const more = node.fields.filter(({ name }) => folded.has(name));
  const isNested = place.includes('/') && !place.endsWith('*');
  return (
    <div
      className={isNested || (place.endsWith('*') && node.fields.length > NARROW) ? 'rp-nested' : 'rp-fields-around'}
      role="group"
      aria-label={label}
    >
      {isNested && <p className="rp-strong">{label}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {children}
      {shown.length > 0 && <div className="rp-fields">{shown.map(field)}</div>}
      {more.length > 0 && (
        <Fold
          title={form.messages.more({ count: more.length })}
          of={label}
          open={more.some(({ name }) => form.problemOf(pointerTo(...keys, name)) !== undefined)}
        >
          <div className="rp-fields">{more.map((one) => field(one, 1))}</div>
        </Fold>
      )}
    </div>
  );
}
