//! Settings: `config/fenwatch.toml`, environment, command line. Readers get plain structs of their own rooms.
