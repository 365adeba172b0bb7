// Settings → Documents: the company's profile, its logo, and a sample.
import { MAX_LOGO_BYTES } from '../../companies/profile/logo/logo.js';
import { profilePatch } from '../../companies/profile/schema.js';
import { changeProfile, getProfile, readLogoBytes } from '../../companies/profile/service.js';
import type { CurrentProfile } from '../../companies/profile/versions.js';
import { getCompany } from '../../companies/service.js';
import { prepare } from '../../documents/service.js';
import { invalidField } from '../../platform/field-errors.js';
import type { Permission } from '../../users/roles.js';
import { findShownActor, isCurrentPassword } from '../../users/service.js';
import type { Attempts } from '../account/attempts.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { buttonForm, directForm } from '../kit/forms/plain-form.js';
import {
  type Answer,
  actorOf,
  get,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
} from '../kit/page.js';
import { ButtonLink, By, IfMay, PageHead, Panel, Time } from '../kit/ui/components.js';
import { Button, Form, Labelled } from '../kit/ui/fields.js';
import { OpenedWith } from '../kit/ui/opened-with.js';
import { SETTINGS } from '../settings/company.js';
import { PROFILE_FIELDS, profileFields, profilePatchOf } from './fields.js';
import { PageFields, PaymentFields, SellerFields } from './profile-fields.js';
import { contentOf, DOCUMENT_SETTINGS, isRefusal, refusalPage } from './routes.js';
import { sampleDocument } from './sample.js';

const LOGO = `${DOCUMENT_SETTINGS}/logo`;
const SAMPLE = `${DOCUMENT_SETTINGS}/sample`;

export function documentSettings(attempts: Attempts): PageRoute[] {
  return [
    ...profileForm(attempts),
    ...logoForm,
    removeLogoButton,
    get(SAMPLE, 'see-settings', showSample),
  ];
}

type LoadedProfile = CurrentProfile;

function profileForm(attempts: Attempts): PageRoute[] {
  return directForm<unknown, Permission, LoadedProfile>({
    path: DOCUMENT_SETTINGS,
    guard: 'change-settings',
    pageGuard: 'see-settings',
    nav: { label: 'Documents', area: SETTINGS },
    schema: profilePatch,
    load: ({ session }) => getProfile(session.companyId),
    initial: ({ loaded }) => newForm(profileFields(loaded.profile)),
    send: async request => saveProfile(request, attempts),
    done: () => ({ to: DOCUMENT_SETTINGS, flash: 'Documents saved.' }),
    page: (state, request) => profilePage(state, request),
  });
}

/** A new bank account needs the password: a changed one is the usual fraud with invoices. */
async function saveProfile(
  { session, form, network, loaded }: PageRequest & { readonly loaded: LoadedProfile },
  attempts: Attempts,
): Promise<void> {
  const { companyId, userId } = session;
  const patch = profilePatchOf(form);
  const password = form.get('currentPassword') ?? '';
  const isRight =
    patch.iban != null && patch.iban !== loaded.profile.iban && password !== ''
      ? await checkedPassword(attempts, { companyId, userId, network, password })
      : false;
  await changeProfile(companyId, patch, actorOf(session), (before, after) => {
    if (isRight || after.iban === null || after.iban === before.iban) return;
    const sentence =
      password === '' ? 'A new IBAN needs your password.' : 'This is not your current password.';
    throw invalidField('currentPassword', sentence);
  });
}

async function checkedPassword(
  attempts: Attempts,
  given: { companyId: string; userId: string; network: string; password: string },
): Promise<boolean> {
  const confirmCorrect = await attempts.password(given.network, given.userId);
  const isRight = await isCurrentPassword(given.companyId, given.userId, given.password);
  if (isRight) await confirmCorrect();
  return isRight;
}

const logoForm = directForm<unknown, Permission, LoadedProfile>({
  path: LOGO,
  guard: 'change-settings',
  fileLimitBytes: MAX_LOGO_BYTES,
  load: ({ session }) => getProfile(session.companyId),
  send: async ({ session, file }) => {
    if (file === null) throw invalidField('logo', 'Choose a file.');
    if (file.isCut) throw invalidField('logo', `Must be at most ${MAX_LOGO_BYTES / 1_000} kB.`);
    const patch = { logo: file.bytes.toString('base64') };
    await changeProfile(session.companyId, patch, actorOf(session));
  },
  done: () => ({ to: DOCUMENT_SETTINGS, flash: 'Logo saved.' }),
  page: (state, request) => profilePage(newForm(), request, state),
});

const removeLogoButton = buttonForm(`${LOGO}/remove`, 'change-settings', async ({ session }) => {
  await changeProfile(session.companyId, { logo: null }, actorOf(session));
  return { to: DOCUMENT_SETTINGS, flash: 'Logo removed.' };
});

async function showSample(request: PageRequest): Promise<Answer> {
  const { companyId } = request.session;
  const [{ profile }, { currency }] = await Promise.all([
    getProfile(companyId),
    getCompany(companyId),
  ]);
  try {
    return await contentOf(prepare(companyId, sampleDocument(profile, currency), 'pdf'));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusalPage(error, DOCUMENT_SETTINGS, '', request);
  }
}

const SHOWN = 'What documents show of your company. Issued ones keep it.';

async function profilePage(
  state: FormState,
  { loaded, session }: PageRequest & { readonly loaded: LoadedProfile },
  logoState: FormState = newForm(),
): Promise<PageAnswer> {
  const { profile, changed } = loaded;
  const shown = logoState.refusal ? { ...state, values: profileFields(profile) } : state;
  const by = changed && (await findShownActor(session.companyId, changed.by));
  const logo = profile.logo && (await readLogoBytes(session.companyId, profile.logo));
  const body = (
    <>
      <PageHead
        title="Documents"
        note={
          changed === null ? (
            `${SHOWN} A document needs your address.`
          ) : (
            <>
              {SHOWN} Last changed by {by ? <By actor={by} /> : 'an operator'} on{' '}
              <Time at={changed.at} />
            </>
          )
        }
      >
        <ButtonLink href={SAMPLE} quiet>
          Sample PDF
        </ButtonLink>
      </PageHead>
      <Form
        action={DOCUMENT_SETTINGS}
        state={shown}
        label="Profile"
        permission="change-settings"
        wide
      >
        <SellerFields name={profile.name} />
        <PaymentFields />
        <PageFields />
        <OpenedWith names={PROFILE_FIELDS} />
        <IfMay permission="change-settings">
          <Button>Save</Button>
        </IfMay>
      </Form>
      <Panel title="Logo" note="A PNG or JPEG of at most 200 kB and 1,000 pixels a side." split>
        {logo && profile.logo && (
          <p>
            <img
              src={`data:image/${profile.logo.type};base64,${logo.toString('base64')}`}
              alt="Logo"
              width={Math.min(profile.logo.width, 220)}
            />
          </p>
        )}
        <IfMay permission="change-settings">
          <Form action={LOGO} state={logoState} label="Logo" upload>
            <Labelled name="logo" label="New logo">
              {control => <input type="file" accept="image/png,image/jpeg" {...control} />}
            </Labelled>
            <Button quiet>Upload</Button>
          </Form>
          {logo && (
            <Form action={`${LOGO}/remove`} inline>
              <Button quiet>Remove logo</Button>
            </Form>
          )}
        </IfMay>
      </Panel>
    </>
  );
  return { title: 'Documents', body };
}
