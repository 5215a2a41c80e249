import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { EDIT_VARIABLES, editVariables, type EditVariables } from '@repoless/core/rollouts/edit-variables.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import {
  type DraftProblems,
  EDIT_FIELDS,
  EDIT_KINDS,
  type EditDraft,
  type EditField,
  newDraft,
  readDraft,
} from '@repoless/core/rollouts/edit-draft.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { type ComponentRef, useCallback, useMemo, useRef, useState } from 'react';
import { Fold } from '../../ui/Card.tsx';
import { Announcement } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { PrepareRollout } from './PrepareRollout.tsx';
import { GrowingList } from './Preview.tsx';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import { ROLE_NAMES } from '@repoless/contract/access.ts';
import { valueProblem } from '@repoless/core/messages/explain-failure.ts';

export interface EditedSite {
  readonly name: string;
  readonly contentRoot?: string;
}

interface Props {
  readonly port: RolloutsPort;
  readonly history: Pick<HistoryPort, 'profiles'>;
  readonly organization: string;
  /** At least one; the first is the example, and in the first wave. */
  readonly sites: readonly EditedSite[];
  readonly onCancel: () => void;
  readonly onStarted: (id: string) => void;
}

export function EditSites({ port, history, organization, sites, onCancel, onStarted }: Props) {
  const { rollouts } = useMessages('rollouts');
  const { form } = rollouts;
  const [drafts, setDrafts] = useState<readonly EditDraft[]>(() => [newDraft(1)]);
  const [tried, setTried] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const readProfiles = useCallback(() => history.profiles(organization), [history, organization]);
  const [profiles] = useReading(readProfiles);
  const adder = useRef<ComponentRef<typeof ActionButton>>(null);
  const [first] = sites;
  const example = useMemo(() => editVariables(organization, first?.name ?? '', first?.contentRoot), [organization, first]);
  const read = drafts.map((draft) => readDraft(draft, example));
  const edits = read.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const change = edits.length === drafts.length ? { edits, sites: sites.map(({ name }) => name) } : undefined;
  return (
    <PrepareRollout
      port={port}
      organization={organization}
      change={change}
      editLabels={drafts.map(({ kind }, index) => form.edit({ number: index + 1, kind: form.kinds[kind] }))}
      isEntered={drafts.some((draft) => !sameValue(draft, newDraft(draft.id)))}
      onTry={() => setTried(true)}
      onCancel={onCancel}
      onStarted={onStarted}
    >
      <p>{form.sitesText}</p>
      <Fold title={form.chosen({ count: sites.length })}>
        <GrowingList label={form.chosen({ count: sites.length })} rows={sites} idOf={({ name }) => name}>
          {({ name }) => <span className="rp-value">{name}</span>}
        </GrowingList>
      </Fold>
      {drafts.map((draft, index) => (
        <EditFields
          key={draft.id}
          draft={draft}
          number={index + 1}
          problems={tried ? (read[index]?.problems ?? {}) : {}}
          profiles={profiles.state === 'ready' ? profiles.value : []}
          onChange={(next) => setDrafts(drafts.map((one) => (one.id === next.id ? next : one)))}
          onRemove={
            drafts.length === 1
              ? undefined
              : () => {
                  setDrafts(drafts.filter(({ id }) => id !== draft.id));
                  setAnnouncement(form.removed);
                  // The pressed button was removed with its edit.
                  adder.current?.focus();
                }
          }
        />
      ))}
      <div className="rp-actions">
        <ActionButton
          ref={adder}
          isDisabled={drafts.length >= LIMITS.rolloutEdits}
          onPress={() => {
            setDrafts([...drafts, newDraft(Math.max(...drafts.map(({ id }) => id)) + 1)]);
            setAnnouncement('');
          }}
        >
          {form.add}
        </ActionButton>
        <Announcement>{announcement}</Announcement>
      </div>
      <VariablesHelp example={example} />
    </PrepareRollout>
  );
}

function VariablesHelp({ example }: { readonly example: EditVariables }) {
  const { form } = useMessages('rollouts').rollouts;
  return (
    <Fold title={form.variables}>
      <p>{form.variablesText({ site: example.site ?? '' })}</p>
      <dl className="rp-variables">
        {EDIT_VARIABLES.map((name) => (
          <div key={name}>
            <dt>
              <code>{`{${name}}`}</code>
            </dt>
            <dd>{example[name] === undefined ? <span className="rp-quiet">{form.variableNone}</span> : <code>{example[name]}</code>}</dd>
          </div>
        ))}
      </dl>
      <p className="rp-quiet">{form.variablesPlain}</p>
    </Fold>
  );
}

interface EditFieldsProps {
  readonly draft: EditDraft;
  readonly number: number;
  readonly problems: DraftProblems;
  readonly profiles: readonly string[];
  readonly onChange: (draft: EditDraft) => void;
  /** Absent if it is the only one. */
  readonly onRemove: (() => void) | undefined;
}

function EditFields({ draft, number, problems, profiles, onChange, onRemove }: EditFieldsProps) {
  const { form } = useMessages('rollouts').rollouts;
  const label = form.edit({ number, kind: form.kinds[draft.kind] });
  const help = form.kindHelp[draft.kind];
  return (
    <div className="rp-edit" role="group" aria-label={label}>
      <div className="rp-section-head">
        <h3>{label}</h3>
        {onRemove !== undefined && (
          <ActionButton isQuiet aria-label={form.removeOf({ label })} onPress={onRemove}>
            {form.remove}
          </ActionButton>
        )}
      </div>
      <Picker
        label={form.kind}
        selectedKey={draft.kind}
        onSelectionChange={(key) => onChange({ ...draft, kind: EDIT_KINDS.find((kind) => kind === key) ?? draft.kind })}
        width="100%"
      >
        {EDIT_KINDS.map((kind) => (
          <Item key={kind}>{form.kinds[kind]}</Item>
        ))}
      </Picker>
      {help !== '' && <p className="rp-quiet">{help}</p>}
      <div className="rp-edit-fields">
        {EDIT_FIELDS[draft.kind].map((field) => (
          <Field
            key={field}
            field={field}
            value={draft.values[field]}
            problem={problems[field]}
            profiles={profiles}
            onChange={(value) => onChange({ ...draft, values: { ...draft.values, [field]: value } })}
          />
        ))}
      </div>
    </div>
  );
}

interface FieldProps {
  readonly field: EditField;
  readonly value: string;
  readonly problem: DraftProblems[EditField];
  readonly profiles: readonly string[];
  readonly onChange: (value: string) => void;
}

function Field({ field, value, problem, profiles, onChange }: FieldProps) {
  const all = useMessages('rollouts');
  const { rollouts } = all;
  const { roleOf } = useMessages('access');
  const { form } = rollouts;
  const wrong =
    problem === undefined
      ? {}
      : {
          validationState: 'invalid' as const,
          errorMessage:
            problem.kind === 'needed'
              ? form.needed
              : problem.kind === 'line'
                ? form.line({ line: problem.line })
                : valueProblem(all, { detail: problem.sentence }),
        };
  const label = form.fields[field];
  const shared = { label, value, onChange, width: '100%', ...wrong };
  switch (field) {
    case 'role':
      return <Choice label={label} value={value} options={ROLE_NAMES.map((role) => [role, roleOf[role]])} onChange={onChange} />;
    case 'action':
      return <Choice label={label} value={value} options={Object.entries(form.actions)} onChange={onChange} />;
    case 'profile':
      if (profiles.length === 0) return <TextField {...shared} description={form.noProfiles} autoComplete="off" />;
      return (
        <Picker
          label={label}
          {...(value === '' ? {} : { selectedKey: value })}
          onSelectionChange={(key) => onChange(String(key))}
          width="100%"
          {...wrong}
        >
          {profiles.map((name) => (
            <Item key={name}>{name}</Item>
          ))}
        </Picker>
      );
    case 'json':
      return <TextArea {...shared} description={form.help.json} UNSAFE_className="rp-json" />;
    case 'pattern':
    case 'member':
    case 'pointer':
      return <TextField {...shared} description={form.help[field]} autoComplete="off" />;
    case 'name':
    case 'value':
    case 'content':
    case 'public':
      return <TextField {...shared} autoComplete="off" />;
    default:
      return field satisfies never;
  }
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Picker label={label} selectedKey={value} onSelectionChange={(key) => onChange(String(key))} width="100%">
      {options.map(([key, name]) => (
        <Item key={key}>{name}</Item>
      ))}
    </Picker>
  );
}
