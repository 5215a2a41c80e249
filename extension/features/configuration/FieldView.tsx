import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { asVariant, renamed, withMember } from '@repoless/core/configuration/configuration-kind.ts';
import { emptyValue, type FormField, type ObjectNode, variantOf } from '@repoless/core/configuration/form-node.ts';
import { isCredential } from '@repoless/core/history/cdn-credentials.ts';
import { at, isObject, keysOf, pointerTo } from '@repoless/core/history/json-values.ts';
import { type ComponentRef, type ReactNode, useRef, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { KeyField } from './leaves.tsx';
import { Fold } from '../../ui/Card.tsx';
import { invalid, RemoveButton } from '../../ui/forms.tsx';
import {
  ChoiceLeaf,
  ChoicesLeaf,
  fieldMessages,
  InheritedValue,
  type NodeProps,
  NumberLeaf,
  type Of,
  SecretLeaf,
  SwitchLeaf,
  TextLeaf,
  useForm,
} from './leaves.tsx';

/** The form field for a location, by its kind. A profile's value is shown until the site has its own. */
export function FieldView(props: NodeProps) {
  const { node, value, inherited } = props;
  const isWhole = node.kind !== 'object' && node.kind !== 'record' && node.kind !== 'list' && node.kind !== 'variants';
  if (isWhole && value === undefined && inherited !== undefined) return <InheritedValue {...props} />;
  switch (node.kind) {
    case 'text':
      return isCredential(props.location) ? <SecretLeaf {...props} node={node} /> : <TextLeaf {...props} node={node} />;
    case 'number':
      return <NumberLeaf {...props} node={node} />;
    case 'switch':
      return <SwitchLeaf {...props} node={node} />;
    case 'choice':
      return <ChoiceLeaf {...props} node={node} />;
    case 'choices':
      return <ChoicesLeaf {...props} node={node} />;
    case 'list':
      return <ListForm {...props} node={node} />;
    case 'record':
      return <RecordForm {...props} node={node} />;
    case 'object':
      return <ObjectForm {...props} node={node} />;
    case 'variants':
      return <VariantsForm {...props} node={node} />;
    case 'json':
      // Its section's JSON is next to the form.
      return null;
    default:
      return node satisfies never;
  }
}

interface ObjectFormProps extends NodeProps<ObjectNode> {
  readonly children?: ReactNode;
}

/** In a list entry with more fields than this, unset optional ones are collapsed. */
const FEW = 6;
/** An entry with more fields than this has its own frame. */
const NARROW = 2;

function ObjectForm({ node, keys, location, label, value, inherited, stored, isRequired, autoFocus, onChange, children }: ObjectFormProps) {
  const form = useForm();
  // Fields don't move while the person types.
  const [folded] = useState(
    () => new Set(!location.endsWith('*') || node.fields.length <= FEW ? [] : node.fields.filter(isOptional).map(({ name }) => name)),
  );
  function isOptional({ name, isRequired: needed }: FormField): boolean {
    return !needed && at(value, name) === undefined && at(inherited, name) === undefined;
  }
  const problem = form.problemOf(pointerTo(...keys));
  const field = ({ name, isRequired: needed, node: inner }: FormField, index: number) => {
    const inside = `${location}/${name}`;
    return (
      <div
        key={name}
        className={inner.kind === 'list' || inner.kind === 'record' || inner.kind === 'variants' ? 'rp-field-wide' : 'rp-field'}
      >
        <FieldView
          node={inner}
          keys={[...keys, name]}
          location={inside}
          label={fieldMessages(form.messages, inside).label}
          value={at(value, name)}
          inherited={at(inherited, name)}
          stored={at(stored, name)}
          // A missing object has no required fields.
          isRequired={needed && (isRequired || value !== undefined)}
          autoFocus={autoFocus === true && index === 0}
          onChange={(next) => onChange(withMember(value, name, next, isRequired))}
        />
      </div>
    );
  };
  const shown = node.fields.filter(({ name }) => !folded.has(name));
  const more = node.fields.filter(({ name }) => folded.has(name));
  const isNested = location.includes('/') && !location.endsWith('*');
  return (
    <div
      className={isNested || (location.endsWith('*') && node.fields.length > NARROW) ? 'rp-nested' : 'rp-fields-around'}
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

const NONE = ' none';

/** One of several objects, by its type; shared values stay when another one is chosen. */
function VariantsForm(props: Of<'variants'>) {
  const { node, keys, location, value, inherited, stored, onChange } = props;
  const { messages, isDisabled, hasHelp, problemOf } = useForm();
  const type = at(value, node.by);
  const variant = variantOf(node, type);
  if (value === undefined && inherited !== undefined) return <InheritedValue {...props} />;
  const { label, help } = fieldMessages(messages, `${location}/${node.by}`);
  const problem = problemOf(pointerTo(...keys, node.by));
  const options = node.variants.map(({ name }) => ({ key: name ?? NONE, text: name ?? messages.typeNone }));
  return (
    <ObjectForm {...props} key={String(type)} node={variant?.node ?? { kind: 'object', fields: [] }}>
      <div className="rp-fields">
        <Picker
          label={label}
          items={options}
          selectedKey={typeof type === 'string' ? type : NONE}
          onSelectionChange={(key) => onChange(asVariant(node, key === NONE ? undefined : String(key), value, stored))}
          isDisabled={isDisabled}
          width="100%"
          {...(help === undefined || !hasHelp ? {} : { description: help })}
          {...invalid(problem)}
        >
          {({ key, text }) => <Item key={key}>{text}</Item>}
        </Picker>
      </div>
    </ObjectForm>
  );
}

/** Values under names that the author chooses, such as headers by path. */
function RecordForm({ node, keys, location, label, value, inherited, stored, isRequired, onChange }: Of<'record'>) {
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries = Object.entries(isObject(value) ? value : {});
  const own = fieldMessages(messages, location);
  const item = fieldMessages(messages, `${location}/*`);
  const keyLabel = own.key ?? label;
  const problem = form.problemOf(pointerTo(...keys));
  const isNested = location.includes('/');
  const change = (next: Readonly<Record<string, unknown>>): void =>
    onChange(Object.keys(next).length === 0 && !isRequired ? undefined : next);
  const remove = (key: string): void => {
    change(Object.fromEntries(entries.filter(([name]) => name !== key)));
    setFresh(undefined);
    form.announce(messages.removed({ name: key === '' ? keyLabel : key }));
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
              <RemoveButton
                size="XS"
                label={messages.removeOf({ name: key === '' ? keyLabel : key })}
                isDisabled={form.isDisabled}
                onPress={() => remove(key)}
              />
            </div>
            <FieldView
              node={node.value}
              keys={[...keys, key]}
              location={`${location}/*`}
              label={item.label}
              value={entry}
              inherited={at(inherited, key)}
              stored={at(stored, key)}
              isRequired
              onChange={(next) => change({ ...Object.fromEntries(entries), [key]: next })}
            />
          </div>
        );
      })}
      {keysOf(inherited)
        .filter((key) => !isObject(value) || !Object.hasOwn(value, key))
        .map((key) => (
          <InheritedValue
            key={key}
            label={key}
            location={`${location}/*`}
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

function ListForm(props: Of<'list'>) {
  const { node, keys, location, label, value, inherited, stored, isRequired, onChange } = props;
  const form = useForm();
  const { messages } = form;
  const [fresh, setFresh] = useState<number>();
  const add = useRef<ComponentRef<typeof ActionButton>>(null);
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const own = fieldMessages(messages, location);
  const item = fieldMessages(messages, `${location}/*`);
  const problem = form.problemOf(pointerTo(...keys));
  const isFull = node.max !== undefined && entries.length >= node.max;
  const removeAt = (index: number, name: string): void => {
    const left = entries.toSpliced(index, 1);
    // The site's own empty list replaces that of the profile.
    onChange(left.length === 0 && !isRequired && inherited === undefined ? undefined : left);
    setFresh(undefined);
    form.announce(messages.removed({ name }));
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
            <FieldView
              node={node.item}
              keys={[...keys, String(index)]}
              location={`${location}/*`}
              label={name}
              value={entry}
              inherited={undefined}
              stored={Array.isArray(stored) ? stored[index] : at(stored, String(index))}
              isRequired
              autoFocus={fresh === index}
              onChange={(next) => onChange(entries.with(index, next))}
            />
            <RemoveButton
              size="XS"
              label={messages.removeOf({ name })}
              isDisabled={form.isDisabled}
              onPress={() => removeAt(index, name)}
            />
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
        {isFull && node.max !== undefined && <span className="rp-quiet"> {messages.atMostEntries({ count: node.max })}</span>}
      </div>
    </div>
  );
}
