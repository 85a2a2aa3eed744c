"""The pages of the room."""

from django.urls import path

from coaching.room.views import assignments, lobby, people, privacy, progress, rubrics

urlpatterns = [
    path("team/", lobby.room, name="room"),
    path("team/<int:team_id>/", lobby.lobby, name="room-lobby"),
    path("team/<int:team_id>/watch/<uuid:game_id>/", lobby.watch, name="room-watch"),
    path("team/<int:team_id>/assignments/", assignments.overview, name="room-assignments"),
    path("team/<int:team_id>/assignments/new/", assignments.create, name="room-assignment-new"),
    path(
        "team/<int:team_id>/assignments/<int:assignment_id>/", assignments.edit, name="room-assignment-edit"
    ),
    path(
        "team/<int:team_id>/assignments/<int:assignment_id>/close/",
        assignments.close,
        name="room-assignment-close",
    ),
    path("assignments/<int:assignment_id>/start/", assignments.start, name="assignment-start"),
    path("team/<int:team_id>/rubrics/", rubrics.rubrics, name="room-rubrics"),
    path("team/<int:team_id>/rubrics/<int:rubric_id>/retire/", rubrics.retire, name="room-rubric-retire"),
    path("team/<int:team_id>/progress/", progress.team_progress, name="room-progress"),
    path("team/<int:team_id>/export/<slug:kind>.csv", progress.export, name="room-export"),
    path("team/<int:team_id>/people/", people.people, name="room-people"),
    path("team/<int:team_id>/people/invite/", people.invite, name="room-invite"),
    path(
        "team/<int:team_id>/people/invitations/<int:invitation_id>/resend/",
        people.resend,
        name="room-invitation-resend",
    ),
    path(
        "team/<int:team_id>/people/invitations/<int:invitation_id>/revoke/",
        people.revoke,
        name="room-invitation-revoke",
    ),
    path("team/<int:team_id>/people/retention/", people.retention, name="room-retention"),
    path("leaderboard/", progress.leaderboard, name="leaderboard"),
    path("account/privacy/", privacy.privacy, name="privacy"),
    path("account/privacy/consent/", privacy.consent, name="privacy-consent"),
    path("account/privacy/visibility/", privacy.visibility, name="privacy-visibility"),
    path("account/privacy/export/", privacy.export_ask, name="privacy-export"),
    path("account/privacy/export/<uuid:export_id>/", privacy.export_download, name="privacy-download"),
    path("account/privacy/transcripts/", privacy.transcripts_delete, name="privacy-transcripts"),
    path("account/privacy/account/", privacy.account_delete, name="privacy-account"),
    path("deals/<uuid:game_id>/checks/<int:result_id>/", rubrics.tick, name="check-tick"),
]
