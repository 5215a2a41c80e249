import {
  type ConfigurationDraft,
  configurationKind,
  type ConfigurationRead,
  draftOf,
  readConfiguration,
  type SectionName,
  SECTIONS,
  withSection,
} from '@repoless/core/configuration/configuration-kind.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useLocale } from '@adobe/react-spectrum/Provider';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { WithHistory } from '../history/History.tsx';
import { Secrets } from './Secrets.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import '../access/access.css';
import './configuration.css';
import { TextButton } from '../../ui/TextButton.tsx';
import { Announcement, Notice } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { ReviewBar } from '../access/ReviewBar.tsx';
import { ReadOnlyNotice } from '../access/notices.tsx';
import { type Edited, useEdit } from '../access/use-edit.ts';
import { Section } from './Section.tsx';
import { FormFrameContext } from './leaves.tsx';

interface ConfigurationProps {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
}

export function ConfigurationPanel({ service, organization, site, onUnsaved, onChanged }: ConfigurationProps) {
  const { form: messages } = useMessages('configuration');
  // Also loads the messages that it shares with other views first: otherwise, loading them would unmount a focused element.
  useMessages('access');
  useMessages('history');
  return (
    <WithHistory
      service={service}
      subject={{ kind: 'site', organization, name: site }}
      id="rp-configuration"
      title={messages.title({ name: site })}
      onUnsaved={onUnsaved}
      onChanged={onChanged}
    >
      {({ key, ...edited }) => (
        <SiteConfiguration key={key} {...edited} service={service} organization={organization} site={site} onChanged={onChanged} />
      )}
    </WithHistory>
  );
}

interface Props extends ConfigurationProps {
  readonly onHistory: () => void;
}

function SiteConfiguration({ service, organization, site, onUnsaved, onChanged, onHistory }: Props) {
  const { configuration, form } = useMessages('configuration');
  const kind = useMemo(() => configurationKind(organization, site), [organization, site]);
  const subject = useMemo(() => ({ kind: 'site', organization, name: site }) as const, [organization, site]);
  const read = useCallback(() => readConfiguration(service, organization, site), [service, organization, site]);
  const [reading, reload, reloaded] = useReading(read);
  const [saved, setSaved] = useState<SavedStates>();
  const settle = async (states: SavedStates): Promise<void> => {
    await reloaded();
    setSaved(states);
    onChanged();
  };
  const failed = reading.state === 'ready' ? reading.failure : undefined;
  const unread = reading.state === 'ready' ? (failed === undefined ? undefined : { state: 'failed' as const, failure: failed }) : reading;
  return (
    <>
      {unread !== undefined && saved !== undefined && <SavedChange saved={saved} onHistory={onHistory} />}
      {unread !== undefined && (
        <Unread reading={unread} loading={configuration.reading} missing={form.missing} about={{ organization, site }} onRetry={reload} />
      )}
      {unread === undefined && reading.state === 'ready' && (
        <ConfigurationEditor
          key={reading.value.base.etag ?? 'none'}
          service={service}
          subject={subject}
          kind={kind}
          read={reading.value}
          saved={saved}
          onUnsaved={onUnsaved}
          onSaved={(states) => void settle(states)}
          onHistory={onHistory}
        />
      )}
      {
        // The value of a new secret is shown once: it stays while the configuration cannot be read.
        reading.state === 'ready' && <Secrets service={service} site={subject} isReadOnly={reading.value.refused !== undefined} />
      }
    </>
  );
}

interface EditorProps extends Omit<Edited<ConfigurationDraft, ConfigurationRead>, 'onSaved'> {
  readonly saved: SavedStates | undefined;
  readonly onSaved: (states: SavedStates) => void;
  readonly onHistory: () => void;
}

const PROBLEM = '.rp-section-body:not([hidden]) [aria-invalid="true"]';

type Names = ReadonlySet<SectionName>;

/** All sections as one draft: previewed together, saved by one call. */
function ConfigurationEditor({ saved, onUnsaved, onSaved, onHistory, ...edited }: EditorProps) {
  const { read } = edited;
  const { form: messages } = useMessages('configuration');
  const unsaved = useRef({ draft: false, json: false });
  const report = (part: Partial<typeof unsaved.current>): void => {
    unsaved.current = { ...unsaved.current, ...part };
    onUnsaved(unsaved.current.draft || unsaved.current.json);
  };
  const editor = useEdit({
    ...edited,
    onUnsaved: (isUnsaved) => report({ draft: isUnsaved }),
    onSaved: (before, after) => onSaved({ before, after }),
  });
  const { locale } = useLocale();
  const { draft, stored, phase } = editor;
  const [opened, setOpened] = useState<Names>(new Set<SectionName>(['headers']));
  const [broken, setBroken] = useState<Names>(new Set<SectionName>());
  const [announcement, setAnnouncement] = useState('');
  const form = useRef<HTMLDivElement>(null);
  /** Changed to reset fields with their own text when the draft is replaced. */
  const [generation, setGeneration] = useState(0);
  const isReadOnly = read.refused !== undefined;
  const isDisabled = isReadOnly || phase.state === 'looking' || phase.state === 'saving';
  const all = opened.size === SECTIONS.length;
  const concerned = (name: SectionName): number => editor.concerned.filter((key) => `${key}/`.startsWith(`/${name}/`)).length;
  const titlesOf = (names: Iterable<SectionName>): string =>
    new Intl.ListFormat(locale, { type: 'conjunction' }).format([...names].map((name) => messages.sections[name].title));
  const wrong = SECTIONS.filter((name) => concerned(name) > 0);
  const setJson = (name: SectionName, isBroken: boolean): void => {
    const now = toggled(broken, name, isBroken);
    setBroken(now);
    report({ json: now.size > 0 });
    // A preview would ignore text that is not valid JSON yet.
    if (isBroken && phase.state === 'review') editor.back();
  };
  const discarded = (): void => {
    setBroken(new Set());
    report({ json: false });
    setGeneration(generation + 1);
    setAnnouncement('');
  };
  return (
    <FormFrameContext
      value={{
        messages,
        isDisabled,
        hasHelp: !isReadOnly,
        profile: read.inherited?.profile,
        problemOf: (pointer) => editor.problemOf(pointer),
        announce: setAnnouncement,
      }}
    >
      {saved !== undefined && (
        <SavedChange
          saved={saved}
          isHidden={phase.state !== 'editing' || editor.isChanged || broken.size > 0}
          onHistory={onHistory}
          undo={{
            base: read.base.value,
            onUndo(document) {
              discarded();
              void editor.check(draftOf(document));
            },
          }}
        />
      )}
      {read.refused !== undefined && <ReadOnlyNotice failure={read.refused} />}
      <div className="rp-sections-head">
        <p className="rp-quiet">{messages.text}</p>
        <ActionButton isQuiet onPress={() => setOpened(new Set<SectionName>(all ? [] : SECTIONS))}>
          {all ? messages.collapseAll : messages.expandAll}
        </ActionButton>
      </div>
      <div className="rp-sections" key={generation} ref={form}>
        {SECTIONS.map((name) => (
          <Section
            key={name}
            name={name}
            value={draft[name]}
            stored={stored[name]}
            inherited={read.inherited?.values[name]}
            problems={concerned(name)}
            isOpen={opened.has(name) || concerned(name) > 0}
            onOpen={(isOpen) => setOpened((now) => toggled(now, name, isOpen))}
            onChange={(value) => editor.edit(withSection(draft, name, value))}
            onBroken={(isBroken) => setJson(name, isBroken)}
          />
        ))}
      </div>
      <Announcement>{announcement}</Announcement>
      {!isReadOnly && (
        <ReviewBar
          kind="site"
          editor={editor}
          messages={messages.review}
          blocked={broken.size === 0 ? undefined : messages.json.blocked({ names: titlesOf(broken) })}
          further={wrong.length === 0 ? [] : [messages.problemsAtFields({ sections: titlesOf(wrong) })]}
          onShowProblem={wrong.length === 0 ? undefined : () => form.current?.querySelector<HTMLElement>(PROBLEM)?.focus()}
          onDiscarded={discarded}
        />
      )}
    </FormFrameContext>
  );
}

function toggled(names: Names, name: SectionName, isIn: boolean): Names {
  if (names.has(name) === isIn) return names;
  return new Set(isIn ? [...names, name] : [...names].filter((one) => one !== name));
}

interface SavedStates {
  readonly before: unknown;
  readonly after: unknown;
}

interface SavedChangeProps {
  readonly saved: SavedStates;
  /** There is a new draft. When it returns, it doesn't take focus, which is where the person types. */
  readonly isHidden?: boolean;
  readonly onHistory: () => void;
  /** Absent while what is stored cannot be read. */
  readonly undo?: {
    readonly base: unknown;
    /** Called with the current site without the change. */
    readonly onUndo: (document: StoredDocument) => void;
  };
}

/** It is stored; its undo is previewed like any change, and preserves other people's later changes. */
function SavedChange({ saved, isHidden = false, onHistory, undo }: SavedChangeProps) {
  const { form: messages } = useMessages('configuration');
  const [announcement, setAnnouncement] = useState('');
  const focus = useFocusOnArrival<HTMLDivElement>(saved);
  const undoSaved = ({ base, onUndo }: NonNullable<SavedChangeProps['undo']>): void => {
    const { before, after } = saved;
    if (!isObject(before) || !isObject(after) || !isObject(base)) return;
    const undone = undoChange(before, after, base);
    if (undone.state === 'clean') onUndo(undone.document);
    else setAnnouncement(undone.state === 'overlaps' ? messages.undoOverlaps : messages.undone);
  };
  return (
    <div hidden={isHidden}>
      <Notice
        tone="info"
        role="status"
        title={messages.saved}
        focus={focus}
        actions={
          <>
            {undo !== undefined && <TextButton variant="accent" onPress={() => undoSaved(undo)} text={messages.undo} />}
            <TextButton onPress={onHistory} text={messages.history} />
          </>
        }
      >
        {announcement !== '' && <p>{announcement}</p>}
      </Notice>
    </div>
  );
}
