//! A page of GitHub's public event feed: nested records, many strings that repeat each other.

pub type Root = Vec<Event>;

pub enum Event {
    PushEvent {
        common: Common,
        payload: PushPayload,
    },
    CreateEvent {
        common: Common,
        payload: CreatePayload,
    },
    DeleteEvent {
        common: Common,
        payload: DeletePayload,
    },
}

pub struct Common {
    pub id: EventId,
    pub actor: Actor,
    pub repo: Repo,
    pub public: bool,
    pub created_at: String,
    pub org: Option<Org>,
}

pub struct EventId(String);

pub struct ActorId(u64);

pub struct RepoId(u64);

pub struct OrgId(u64);

pub struct PushId(u64);

pub struct Actor {
    pub id: ActorId,
    pub login: String,
    pub display_login: String,
    pub gravatar_id: String,
    pub url: String,
    pub avatar_url: String,
}

pub struct Repo {
    pub id: RepoId,
    pub name: String,
    pub url: String,
}

pub struct Org {
    pub id: OrgId,
    pub login: String,
    pub gravatar_id: String,
    pub url: String,
    pub avatar_url: String,
}

pub struct PushPayload {
    pub repository_id: RepoId,
    pub push_id: PushId,
    pub r#ref: String,
    pub head: String,
    pub before: String,
}

pub struct CreatePayload {
    pub r#ref: String,
    pub ref_type: RefType,
    pub full_ref: String,
    pub master_branch: String,
    pub description: Option<String>,
    pub pusher_type: PusherType,
}

pub struct DeletePayload {
    pub r#ref: String,
    pub ref_type: RefType,
    pub full_ref: String,
    pub pusher_type: PusherType,
}

#[schema(rename_all = "lowercase")]
pub enum RefType {
    Branch,
    Tag,
}

#[schema(rename_all = "lowercase")]
pub enum PusherType {
    User,
}
