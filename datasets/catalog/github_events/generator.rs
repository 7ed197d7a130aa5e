// The kinds of events, and how strings repeat ids, logins and names, are those of the real feed;
// who did what where is invented.

use super::types::*;
use crate::rng::Rng;

pub const SEED: u64 = 2;

/// How many events of each kind a page has: pushes, creations, deletions.
const KINDS: [usize; 3] = [80, 8, 2];
/// How many events of a page belong to an organisation.
const WITH_ORG: usize = 11;

const HEX: &[u8] = b"0123456789abcdef";
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const CONSONANTS: &[u8] = b"bcdfghjklmnprstvwxyz";
const VOWELS: &[u8] = b"aeiouy";
const WORDS: [&str; 48] = [
    "api",
    "app",
    "auth",
    "backend",
    "blog",
    "bot",
    "cache",
    "cli",
    "client",
    "cloud",
    "config",
    "core",
    "dashboard",
    "data",
    "demo",
    "docs",
    "dotfiles",
    "engine",
    "exporter",
    "frontend",
    "game",
    "graph",
    "homework",
    "hub",
    "image",
    "infra",
    "kit",
    "learning",
    "lib",
    "manager",
    "mobile",
    "monitor",
    "notes",
    "parser",
    "platform",
    "portfolio",
    "project",
    "proxy",
    "server",
    "service",
    "site",
    "store",
    "task",
    "tools",
    "tracker",
    "utils",
    "web",
    "workflow",
];
const BRANCHES: [&str; 8] = [
    "main", "main", "main", "master", "develop", "gh-pages", "release", "staging",
];
const PHRASES: [&str; 6] = [
    "A small tool that I needed at work",
    "Personal website, built with love and too much coffee",
    "Infrastructure as code for the team's staging clusters",
    "Course project, second semester",
    "Reads sensor data and draws pretty charts",
    "Mirror of the upstream repository; please send patches there",
];

/// A page of events; `scale` makes it that many times as long.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&Root)) {
    let mut events = Vec::new();
    let mut clock = Clock {
        id: 7_743_219_871,
        push: 30_417_093_113,
        second: 86_038,
    };
    for _ in 0..scale {
        page(rng, &mut clock, &mut events);
    }
    emit(&events);
}

fn page(rng: &mut Rng, clock: &mut Clock, events: &mut Vec<Event>) {
    let mut kinds: Vec<usize> = KINDS
        .iter()
        .enumerate()
        .flat_map(|(kind, count)| vec![kind; *count])
        .collect();
    let mut with_org: Vec<bool> = (0..kinds.len()).map(|index| index < WITH_ORG).collect();
    shuffle(rng, &mut kinds);
    shuffle(rng, &mut with_org);
    for (kind, with_org) in kinds.into_iter().zip(with_org) {
        let common = common(rng, clock, with_org);
        events.push(match kind {
            0 => {
                let payload = push(rng, clock, &common);
                Event::PushEvent { common, payload }
            }
            1 => Event::CreateEvent {
                common,
                payload: create(rng),
            },
            _ => Event::DeleteEvent {
                common,
                payload: delete(rng),
            },
        });
    }
}

fn shuffle<T>(rng: &mut Rng, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, rng.below(last as u64 + 1) as usize);
    }
}

/// What grows, or falls, from event to event.
struct Clock {
    id: u64,
    push: u64,
    second: u64,
}

fn common(rng: &mut Rng, clock: &mut Clock, with_org: bool) -> Common {
    clock.id -= 1 + rng.below(40_000);
    clock.second -= u64::from(rng.percent(4) && clock.second > 0);
    let login = login(rng);
    let org = with_org.then(|| org(rng));
    let owner = org
        .as_ref()
        .map_or(login.as_str(), |org| org.login.as_str());
    let name = format!("{owner}/{}", repo_name(rng));
    Common {
        id: EventId(clock.id.to_string()),
        actor: actor(rng, login),
        repo: Repo {
            id: RepoId(1_000_000_000 - rng.below(400_000_000) + rng.below(180_000_000)),
            url: format!("https://api.github.com/repos/{name}"),
            name,
        },
        public: true,
        created_at: format!(
            "2026-01-16T{:02}:{:02}:{:02}Z",
            clock.second / 3600,
            clock.second / 60 % 60,
            clock.second % 60
        ),
        org,
    }
}

fn actor(rng: &mut Rng, login: String) -> Actor {
    let id = rng.below(230_000_000);
    Actor {
        id: ActorId(id),
        display_login: login.clone(),
        gravatar_id: String::new(),
        url: format!("https://api.github.com/users/{login}"),
        avatar_url: format!("https://avatars.githubusercontent.com/u/{id}?"),
        login,
    }
}

fn org(rng: &mut Rng) -> Org {
    let id = rng.below(230_000_000);
    let login = format!("{}-{}", login(rng), rng.pick(&WORDS));
    Org {
        id: OrgId(id),
        gravatar_id: String::new(),
        url: format!("https://api.github.com/orgs/{login}"),
        avatar_url: format!("https://avatars.githubusercontent.com/u/{id}?"),
        login,
    }
}

fn login(rng: &mut Rng) -> String {
    let mut login = String::new();
    for _ in 0..3 + rng.below(3) {
        login += &rng.text(CONSONANTS, 1);
        login += &rng.text(VOWELS, 1);
    }
    if rng.percent(30) {
        login.replace_range(..1, &login[..1].to_uppercase());
    }
    if rng.percent(60) {
        login += &rng.below(100_000).to_string();
    }
    login
}

fn repo_name(rng: &mut Rng) -> String {
    let mut words: Vec<String> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        words.push((*rng.pick(&WORDS)).to_owned());
    }
    if rng.percent(60) {
        let len = 4 + rng.below(4);
        words.push(rng.text(LETTERS, len as usize));
    }
    words.join(if rng.percent(85) { "-" } else { "_" })
}

fn hash(rng: &mut Rng) -> String {
    rng.text(HEX, 40)
}

fn push(rng: &mut Rng, clock: &mut Clock, common: &Common) -> PushPayload {
    clock.push -= 1 + rng.below(400);
    PushPayload {
        repository_id: common.repo.id.clone(),
        push_id: PushId(clock.push),
        r#ref: format!("refs/heads/{}", branch(rng)),
        head: hash(rng),
        before: hash(rng),
    }
}

fn branch(rng: &mut Rng) -> String {
    match rng.percent(80) {
        true => (*rng.pick(&BRANCHES)).to_owned(),
        false => format!("feature/{}-{}", rng.pick(&WORDS), rng.pick(&WORDS)),
    }
}

/// The name of a branch or of a tag, what it is, and its full name.
fn reference(rng: &mut Rng) -> (String, RefType, String) {
    match rng.percent(75) {
        true => {
            let name = branch(rng);
            (name.clone(), RefType::Branch, format!("refs/heads/{name}"))
        }
        false => {
            let name = format!("v{}.{}.{}", rng.below(5), rng.below(20), rng.below(10));
            (name.clone(), RefType::Tag, format!("refs/tags/{name}"))
        }
    }
}

fn create(rng: &mut Rng) -> CreatePayload {
    let (r#ref, ref_type, full_ref) = reference(rng);
    CreatePayload {
        r#ref,
        ref_type,
        full_ref,
        master_branch: "main".to_owned(),
        description: rng.percent(60).then(|| (*rng.pick(&PHRASES)).to_owned()),
        pusher_type: PusherType::User,
    }
}

fn delete(rng: &mut Rng) -> DeletePayload {
    let (r#ref, ref_type, full_ref) = reference(rng);
    DeletePayload {
        r#ref,
        ref_type,
        full_ref,
        pusher_type: PusherType::User,
    }
}
