import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { EDIT_VARIABLES, editVariables, type EditVariables } from '@repoless/contract/rollout.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import { type EditDraft, newDraft, readDraft } from '@repoless/core/rollouts/edit-draft.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { type ComponentRef, useCallback, useMemo, useRef, useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { Announcement } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { EditFields } from './EditFields.tsx';
import { PrepareRollout } from './PrepareRollout.tsx';
import { GrowingList } from './Preview.tsx';

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
  const [said, setSaid] = useState('');
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
                  setSaid(form.removed);
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
            setSaid('');
          }}
        >
          {form.add}
        </ActionButton>
        <Announcement>{said}</Announcement>
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
